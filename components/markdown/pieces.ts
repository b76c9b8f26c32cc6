/** The number of characters at the end of a piece in which a line break or space to cut at is searched for. */
const LOOK_BACK = 500;

/** The first `count` pieces of a text, of at most `length` characters each, cut at line breaks (left out) or spaces. */
export function pieces(text: string, length: number, count: number): string[] {
  const found: string[] = [];
  let at = 0;
  while (at < text.length && found.length < count) {
    const end = at + length >= text.length ? text.length : cutBefore(text, at + length);
    found.push(text.slice(at, text[end - 1] === '\n' ? end - 1 : end));
    at = end;
  }
  return found;
}

function cutBefore(text: string, end: number): number {
  const tail = text.slice(end - LOOK_BACK, end);
  const at = Math.max(tail.lastIndexOf('\n'), -1) + 1 || tail.lastIndexOf(' ') + 1;
  if (at > 0) return end - LOOK_BACK + at;
  const isInsidePair = /[\uD800-\uDBFF]/.test(text.charAt(end - 1));
  return isInsidePair ? end - 1 : end;
}
