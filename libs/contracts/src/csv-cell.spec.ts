import { csvCell, withoutFormulaMarks } from './csv-cell.js';

/** Without the quotes of RFC 4180. */
function unquoted(cell: string): string {
  return cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
}

describe('a cell of a CSV file', () => {
  it.each([
    ['=HYPERLINK("x")', `"'=HYPERLINK(""x"")"`],
    ['+12025550101', "'+12025550101"],
    ['-1', "'-1"],
    ['@here', "'@here"],
    ['＝1', "'＝1"],
    ['  =1', "'  =1"],
    ['a;=1+1', `"a;'=1+1"`],
    ["'=1", "''=1"],
    ['a-b+c', 'a-b+c'],
    ['Ann Ash', 'Ann Ash'],
  ])('is no formula with %j', (text, written) => {
    expect(csvCell(text)).toBe(written);
  });

  it('has no formula at a character where a spreadsheet splits it, and is read as it was written', () => {
    const characters = ['=', "'", '+', '-', '@', ';', ',', '|', ' ', '"', 'a', 'Ａ', '＝', '＋', '－', '＠'];
    let seed = 7;
    const next = (): string => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return characters[seed % characters.length] ?? 'a';
    };
    for (let n = 0; n < 5_000; n++) {
      const text = Array.from({ length: n % 12 }, next).join('');
      const cell = csvCell(text);
      for (const part of unquoted(cell).split(/[;,|]/)) expect(part).not.toMatch(/^["\s]*[=+\-@＝＋－＠]/);
      expect(withoutFormulaMarks(unquoted(cell))).toBe(text);
    }
  });
});
