import { csvCell } from '@ringdown/contracts/csv-cell';

/** The cells of one line of a CSV file (RFC 4180). Undefined if its quotes are wrong; a cell cannot contain a line break. */
export function csvCells(line: string, separator: string): string[] | undefined {
  const cells: string[] = [];
  let at = 0;
  for (;;) {
    if (line[at] === '"') {
      const quoted = quotedCell(line, at + 1);
      if (quoted === undefined) return undefined;
      cells.push(quoted.text);
      at = quoted.next;
      if (at < line.length && line[at] !== separator) return undefined;
    } else {
      const found = line.indexOf(separator, at);
      const end = found === -1 ? line.length : found;
      cells.push(line.slice(at, end));
      at = end;
    }
    if (at >= line.length) return cells;
    at++;
  }
}

function quotedCell(line: string, from: number): { text: string; next: number } | undefined {
  let text = '';
  for (let at = from; ; at += 2) {
    const end = line.indexOf('"', at);
    if (end === -1) return undefined;
    text += line.slice(at, end);
    if (line[end + 1] !== '"') return { text, next: end + 1 };
    text += '"';
    at = end;
  }
}

export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\n`;
}
