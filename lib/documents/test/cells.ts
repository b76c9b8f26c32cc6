import { cellPosition } from '../sheets/sheet-text.ts';

/** The cells of a sheet's text, by their addresses, such as `B5`. */
export function cellsIn(text: string): Map<string, string> {
  const cells = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, address = '', rest = ''] = /^([A-Z]+\d+): ?(.*)$/.exec(line) ?? [];
    const place = cellPosition(address);
    if (place === undefined) continue;
    for (const [index, cell] of rest.split(/(?<!\\) ?\| ?/).entries())
      if (cell !== '')
        cells.set(`${place.column + index},${place.row}`, cell.replaceAll('\\|', '|').replaceAll(' ⏎ ', '\n'));
  }
  return cells;
}
