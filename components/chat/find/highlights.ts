/** The styles of marked matches. They are not in a stylesheet because the tool that builds those rejects `::highlight`. */
const STYLES = `
  ::highlight(found) { background: var(--found); color: var(--found-text); }
  ::highlight(found-current) { background: var(--found-current); color: var(--found-current-text); }
`;

let hasStyles = false;

/** Marks exactly these ranges under a name, in place of those marked before. Does nothing in browsers without highlights. */
export function highlight(name: 'found' | 'found-current', ranges: readonly Range[]): void {
  if (typeof Highlight === 'undefined') return;
  if (!hasStyles) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLES);
    document.adoptedStyleSheets.push(sheet);
    hasStyles = true;
  }
  if (ranges.length === 0) CSS.highlights.delete(name);
  else CSS.highlights.set(name, new Highlight(...ranges));
}
