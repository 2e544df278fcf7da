/**
 * Matches where a spreadsheet would read a formula, because others choose the texts: at the beginning of a cell, and
 * after every character at which some spreadsheets split a line, regardless of the file format and of the quotes (OWASP,
 * CSV Injection).
 */
const FORMULA = /(?:^|[;,|\t\r\n])(?=["' ]*[=+\-@＝＋－＠])/g;
const MARKED = /(^|[;,|\t\r\n])'(?=["' ]*[=+\-@＝＋－＠])/g;

/** A text as one cell of a CSV file (RFC 4180), with a mark before what would be a formula. */
export function csvCell(text: string): string {
  const begun = /^[\t\r\n]/.test(text) ? `'${text}` : text;
  const marked = begun.replaceAll(FORMULA, "$&'");
  return /[",;\t\r\n]/.test(marked) ? `"${marked.replaceAll('"', '""')}"` : marked;
}

/** The text of a cell without the marks of {@link csvCell}. */
export function withoutFormulaMarks(cell: string): string {
  return cell.replaceAll(MARKED, '$1');
}
