/**
 * Comments that stand for code that a model left out, in the wordings and languages that models use. A line must also
 * start with a comment marker or dots, because the same words occur in ordinary text.
 */
const PLACEHOLDERS = [
  // "... rest of the code", "// rest of the file remains the same", "# (remaining methods unchanged)"
  /(?:rest|remainder|remaining)\b.{0,40}\b(?:code|file|content|contents|implementation|functions?|methods?|component|class|styles?|script|document|lines|imports?)\b/i,
  // "// existing code ...", "/* previous styles here */", "<!-- same as before -->"
  /(?:existing|previous|original|other|same)\b.{0,30}\b(?:code|content|implementation|functions?|methods?|styles?|imports?|lines)\b.{0,30}(?:\.{3}|…|\b(?:here|unchanged|same|before|above|omitted|stays?|remains?))/i,
  /(?:code|content|file|everything|rest)\b.{0,30}\b(?:unchanged|omitted|(?:stays?|remains?) (?:the )?same|same as (?:before|above))/i,
  /(?:其余|剩余|其他|原有|现有).{0,12}(?:代码|内容|部分|函数|方法|样式)|(?:代码|内容).{0,6}(?:不变|省略|保持)/,
];

const COMMENT = /^\s*(?:\/\/|\/\*|\{\/\*|#|<!--|--|;|%|\*|"""|'''|\(\*|\.{3}|…|\[\s*(?:\.{3}|…))/;

/**
 * Finds a line of the new text that stands for omitted code, such as `// rest of the code unchanged`, and is not in the old
 * text. `line`: its number, counted from 1. Undefined if there is none, or if the new text has at least as many lines as the
 * old one, so that nothing seems to be left out.
 */
export function findPlaceholder(before: string, after: string): { line: number; text: string } | undefined {
  const lines = after.split('\n');
  if (lines.length >= before.split('\n').length) return undefined;
  const index = lines.findIndex(
    (line) => COMMENT.test(line) && PLACEHOLDERS.some((pattern) => pattern.test(line)) && !before.includes(line.trim()),
  );
  return index === -1 ? undefined : { line: index + 1, text: (lines[index] ?? '').trim() };
}
