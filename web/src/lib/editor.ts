// Positions put together by hand: what stands on the cells, and the text that the game reads.
import type { Picture } from "./api";

export interface Piece {
  code: string; // in the text of a position
  side: 0 | 1 | null;
}

export interface Board {
  cells: string[]; // a code each; "" is nothing
  side: string; // to move, as the text writes it
}

export interface Editor {
  pieces: Piece[];
  sides: [string, string];
  read(text: string): Board;
  write(board: Board): string;
  // A board after a piece was put on a cell; where it stands already, it is taken away.
  put(board: Board, cell: number, code: string): Board;
  empty: string;
}

function replaced(board: Board, cell: number, code: string, empty: string): Board {
  const cells = [...board.cells];
  cells[cell] = cells[cell] === code ? empty : code;
  return { ...board, cells };
}

const chess: Editor = {
  pieces: [..."KQRBNP"].map((code): Piece => ({ code, side: 0 })).concat([..."kqrbnp"].map((code): Piece => ({ code, side: 1 }))),
  sides: ["w", "b"],
  empty: "",
  read(text) {
    const [placed, side] = text.split(" ");
    const cells = [...(placed ?? "")].flatMap((code) =>
      code === "/" ? [] : /\d/.test(code) ? Array<string>(Number(code)).fill("") : [code],
    );
    return { cells, side: side ?? "w" };
  },
  write({ cells, side }) {
    const rows = Array.from({ length: 8 }, (_, row) => cells.slice(8 * row, 8 * row + 8));
    const placed = rows.map((row) => row.map((code) => code || "1").join("").replace(/1+/g, (ones) => String(ones.length)));
    // Who stands where a game begins may still castle.
    const castling = [
      cells[60] === "K" && cells[63] === "R" ? "K" : "",
      cells[60] === "K" && cells[56] === "R" ? "Q" : "",
      cells[4] === "k" && cells[7] === "r" ? "k" : "",
      cells[4] === "k" && cells[0] === "r" ? "q" : "",
    ].join("");
    return `${placed.join("/")} ${side} ${castling || "-"} - 0 1`;
  },
  put: (board, cell, code) => replaced(board, cell, code, ""),
};

const fanorona: Editor = {
  pieces: [
    { code: "w", side: 0 },
    { code: "W", side: 0 },
    { code: "b", side: 1 },
    { code: "B", side: 1 },
  ],
  sides: ["w", "b"],
  empty: ".",
  read(text) {
    const [placed, side] = text.split(" ");
    return { cells: [...(placed ?? "")], side: side ?? "w" };
  },
  write: ({ cells, side }) => `${cells.join("")} ${side}`,
  put: (board, cell, code) => replaced(board, cell, code, "."),
};

const domineering: Editor = {
  pieces: [{ code: "#", side: null }],
  sides: ["v", "h"],
  empty: ".",
  read(text) {
    const [placed, side] = text.split(" ");
    return { cells: [...(placed ?? "").replaceAll("/", "")], side: side ?? "v" };
  },
  // The picture says how many columns there are; see write() in editorOf().
  write: ({ cells, side }) => `${cells.join("")} ${side}`,
  put: (board, cell, code) => replaced(board, cell, code, "."),
};

const animals = ["d", "g", "c", "r"];
const files = "abcde";
const bremen: Editor = {
  pieces: animals.map((code): Piece => ({ code: code.toUpperCase(), side: 0 })).concat(animals.map((code): Piece => ({ code, side: 1 }))),
  sides: ["b", "r"],
  empty: "",
  read(text) {
    const [placed, side] = text.split(" ");
    const cells = Array<string>(25).fill("");
    (placed ?? "").split("/").forEach((squares, owner) => {
      const found = squares.match(/-|[a-e][1-5]/g) ?? [];
      found.forEach((square, animal) => {
        if (square === "-") return;
        const cell = 5 * (5 - Number(square[1])) + files.indexOf(square[0]!);
        cells[cell] += owner === 0 ? animals[animal]!.toUpperCase() : animals[animal]!;
      });
    });
    return { cells, side: side ?? "b" };
  },
  write({ cells, side }) {
    const squares = (codes: string[]) =>
      codes
        .map((code) => {
          const cell = cells.findIndex((stack) => stack.includes(code));
          return cell < 0 ? "-" : `${files[cell % 5]}${5 - Math.floor(cell / 5)}`;
        })
        .join("");
    return `${squares(animals.map((code) => code.toUpperCase()))}/${squares(animals)} ${side}`;
  },
  // An animal stands on one square; others of other kinds may share it.
  put(board, cell, code) {
    const cells = board.cells.map((stack, i) => (i === cell && stack.includes(code) ? stack : stack.replace(code, "")));
    const stack = cells[cell]!;
    if (stack.includes(code)) cells[cell] = stack.replace(code, "");
    else cells[cell] = stack.replace(new RegExp(code, "i"), "") + code;
    return { ...board, cells };
  },
};

// Nothing where positions of the game are not put together on its board.
export function editorOf(game: string, picture: Picture): Editor | null {
  switch (game) {
    case "chess":
      return chess;
    case "fanorona":
      return fanorona;
    case "bremen":
      return bremen;
    case "domineering":
      return {
        ...domineering,
        write: ({ cells, side }) =>
          `${Array.from({ length: picture.rows }, (_, row) => cells.slice(row * picture.cols, (row + 1) * picture.cols).join("")).join("/")} ${side}`,
      };
    case "minesweeper": {
      const bombs = /^\d+ \d+ (\d+)/;
      let count = "10";
      return {
        pieces: ["#", ..."012345678"].map((code): Piece => ({ code, side: null })),
        sides: ["", ""],
        empty: "#",
        read(text) {
          count = bombs.exec(text)?.[1] ?? count;
          const rows = text.trim().split("\n").slice(1);
          return { cells: rows.flatMap((row) => [...row.trim()]), side: "" };
        },
        write: ({ cells }) =>
          [`${picture.rows} ${picture.cols} ${count}`]
            .concat(Array.from({ length: picture.rows }, (_, row) => cells.slice(row * picture.cols, (row + 1) * picture.cols).join("")))
            .join("\n"),
        put: (board, cell, code) => replaced(board, cell, code, "#"),
      };
    }
    default:
      return null;
  }
}

// What the board shows while it is edited: the picture, with other pieces on it.
export function editedPicture(game: string, picture: Picture, board: Board): Picture {
  const figures: Record<string, string> = { K: "♔", Q: "♕", R: "♖", B: "♗", N: "♘", P: "♙", k: "♚", q: "♛", r: "♜", b: "♝", n: "♞", p: "♟" };
  const inks = ["", "one", "two", "three", "four", "five", "six", "seven", "eight"];
  const cells = picture.cells.map((cell, i) => {
    const code = board.cells[i] ?? "";
    const kept = { ...(cell.dark ? { dark: true } : {}) };
    if (game === "chess") {
      return { ...kept, tokens: code === "" ? [] : [{ glyph: figures[code]!, letter: code, ink: code < "a" ? "first" : "second" }] };
    }
    if (game === "fanorona") {
      if (code === ".") return { ...kept, tokens: [] };
      const first = code.toLowerCase() === "w";
      return { ...kept, tokens: [{ glyph: "●", letter: code, ink: first ? "first" : "second", ...(code < "a" ? { strong: true } : {}) }] };
    }
    if (game === "bremen") {
      const stack = [...code].sort((a, b) => animals.indexOf(a.toLowerCase()) - animals.indexOf(b.toLowerCase()));
      return {
        ...kept,
        tokens: stack.map((letter) => ({ glyph: letter, letter, ink: letter < "a" ? "first" : "second", strong: true, tile: true })),
      };
    }
    if (game === "domineering") return { ...kept, tokens: [], ...(code === "#" ? { shade: "covered" as const } : {}) };
    if (code === "#") return { ...kept, tokens: [], shade: "covered" as const };
    return { ...kept, tokens: code === "0" ? [] : [{ glyph: code, letter: code, ink: inks[Number(code)] ?? "" }] };
  });
  return { ...picture, cells };
}
