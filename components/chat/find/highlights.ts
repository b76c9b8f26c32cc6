/** Here and not with the other styles, because the tool that builds those does not know highlights. */
const STYLES = `
  ::highlight(found) { background: var(--found); color: var(--found-text); }
  ::highlight(found-current) { background: var(--found-current); color: var(--found-current-text); }
`;

let hasStyles = false;

/** Marks ranges in the text by name; without support in the browser, nothing is marked. */
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
