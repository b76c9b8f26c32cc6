/** The text of a text file's data: URL. Never throws: a stray "%" is kept as it is. */
export function textOfDataUrl(url: string): string {
  const data = url.slice(url.indexOf(',') + 1);
  if (!/^data:[^,]*;base64,/.test(url))
    return data.replaceAll(/(?:%[\da-f]{2})+/gi, (run) =>
      new TextDecoder().decode(Uint8Array.from(run.slice(1).split('%'), (digits) => Number.parseInt(digits, 16))),
    );
  return new TextDecoder().decode(Uint8Array.from(atob(data), (character) => character.charCodeAt(0)));
}
