// Runs every case_N.onnx with onnxruntime-node and compares its outputs with those in case_N.json:
//   node compare.mjs CASES PACKAGES
// PACKAGES is the folder that npm installed into. One line a case; exit code 1 on a difference.

import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

const [cases, packages] = process.argv.slice(2);
const ort = createRequire(join(resolve(packages), 'package.json'))('onnxruntime-node');
const tolerance = 1e-5;

// The input's first `samples` samples.
function feed(data, samples) {
  const sizes = [samples, ...data.sizes.slice(1)];
  const count = sizes.reduce((a, b) => a * b);
  const Numbers = data.type === 'float32' ? Float32Array : Float64Array;
  return new ort.Tensor(data.type, Numbers.from(data.input.slice(0, count)), sizes);
}

// The largest difference in units of what is allowed, and in itself.
function difference(outputs, data, samples) {
  const worst = { share: 0, absolute: 0 };
  const names = Object.keys(data.outputs);
  if (Object.keys(outputs).sort().join() !== [...names].sort().join()) {
    throw new Error(`the outputs are ${Object.keys(outputs)}; expected ${names}`);
  }
  for (const name of names) {
    const expected = data.outputs[name];
    const sizes = [samples, ...expected.sizes.slice(1)];
    if (outputs[name].type !== data.type || outputs[name].dims.join() !== sizes.join()) {
      throw new Error(`${name} is ${outputs[name].type} ${outputs[name].dims}; ` +
        `expected ${data.type} ${sizes}`);
    }
    outputs[name].data.forEach((value, i) => {
      const absolute = Math.abs(value - expected.values[i]);
      if (Number.isNaN(absolute)) throw new Error(`${name}[${i}] is not a number`);
      const share = absolute / (tolerance * (1 + Math.abs(expected.values[i])));
      worst.share = Math.max(worst.share, share);
      worst.absolute = Math.max(worst.absolute, absolute);
    });
  }
  return worst;
}

const names = readdirSync(cases).filter((name) => name.endsWith('.onnx')).sort();
let compared = 0;
let failed = false;
for (const name of names) {
  const path = join(cases, name);
  const data = JSON.parse(readFileSync(path.replace(/\.onnx$/, '.json'), 'utf8'));
  const title = `${name} (${data.name})`;
  try {
    const session = await ort.InferenceSession.create(path);
    // The whole batch, and one sample alone: the batch is free.
    for (const samples of [data.sizes[0], 1]) {
      const outputs = await session.run({ input: feed(data, samples) });
      const worst = difference(outputs, data, samples);
      const good = worst.share <= 1;
      failed ||= !good;
      if (samples === data.sizes[0] || !good) {
        console.log(`${title}: ${good ? 'ok' : 'DIFFERENT'}, largest difference ` +
          worst.absolute.toExponential(1));
      }
    }
    ++compared;
  } catch (error) {
    // ONNX Runtime has some operators, Conv among them, for floats only.
    if (data.type === 'float64' && /Could not find an implementation/.test(error.message)) {
      const [, operator] = error.message.match(/implementation for (\w*)/);
      console.log(`${title}: not run, ONNX Runtime has no ${operator} in doubles`);
      continue;
    }
    failed = true;
    console.log(`${title}: FAILED, ${error.message}`);
  }
}
console.log(`onnxruntime-node ${ort.env.versions.node}: ` +
  `${compared} of ${names.length} files compared`);
process.exitCode = failed || compared === 0 ? 1 : 0;
