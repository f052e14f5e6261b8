// Whether the server answers, for the whole page: it may be gone, or started anew with another key.
export const server = $state({
  state: "here" as "here" | "gone" | "locked",
  isPublic: false, // then nothing is locked, and some things are closed
});

// Where a pasted address leads, with what is shown here; null: it is no address of a server.
export function leadsTo(pasted: string, hash: string): string | null {
  try {
    const url = new URL(pasted.trim());
    if (url.protocol !== "http:" && url.protocol !== "https:") return null;
    return `${url.origin}/${url.search}${hash}`;
  } catch {
    return null;
  }
}
