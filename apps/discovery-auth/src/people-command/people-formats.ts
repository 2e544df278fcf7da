import { PHONE_KINDS, type PersonEntry } from '@ringdown/directory';
import { parsePerson } from '@ringdown/directory/people-file';
import { errorReason } from '@ringdown/errors';
import { withoutFormulaMarks } from '@ringdown/contracts/csv-cell';
import { csvCells, csvLine } from './csv.js';
import type { BoundedLine } from './bounded-lines.js';

export const FORMATS = ['csv', 'json'] as const;
export type Format = (typeof FORMATS)[number];

/** A person of an import file. */
export interface ImportedPerson {
  readonly line: number;
  readonly entry: PersonEntry;
  /** In plain text, instead of a hash. */
  readonly password?: string;
}

export interface RejectedLine {
  readonly line: number;
  readonly reason: string;
}

/** Reads the lines of one file, in their order. */
export interface LineReader {
  /** Undefined for a line without a person, such as the first of a CSV file. */
  read(line: BoundedLine): ImportedPerson | RejectedLine | undefined;
  /** False when the other lines have no meaning, as the columns are unknown. */
  readonly canReadOn: boolean;
}

const TEXTS = ['username', 'name', 'sipAddress', 'mail', 'title', 'department', 'company', 'office'] as const;
const COLUMNS = [
  ...TEXTS,
  ...PHONE_KINDS.map((kind) => `phone.${kind}`),
  'roles',
  'contacts',
  'blocked',
  'passwordHash',
];
const KNOWN = new Set([...COLUMNS, 'password']);

export function lineReader(format: Format): LineReader {
  return format === 'csv' ? new CsvReader() : new JsonReader();
}

/** The first line names the columns; `;` separates the cells if it separates those names. */
class CsvReader implements LineReader {
  private columns: readonly string[] | undefined;
  private separator = ',';

  /** Whether the first line with text has named the columns. */
  get canReadOn(): boolean {
    return this.columns !== undefined;
  }

  read({ number: line, text, problem }: BoundedLine): ImportedPerson | RejectedLine | undefined {
    if (problem !== undefined) return { line, reason: problem };
    if (this.columns === undefined) return this.readColumns(line, text);
    const cells = csvCells(text, this.separator);
    if (cells === undefined) return { line, reason: 'a quotation mark is missing or misplaced' };
    if (cells.length !== this.columns.length) {
      return { line, reason: `has ${cells.length} cells instead of ${this.columns.length}` };
    }
    const { columns } = this;
    const texts = columns.map((column, index) => [column, cellText(column, cells[index] ?? '')] as const);
    return parseImportedPerson(line, personFields(new Map(texts)));
  }

  private readColumns(line: number, text: string): RejectedLine | undefined {
    this.separator = text.includes(';') ? ';' : ',';
    const columns = csvCells(text, this.separator)?.map((name) => name.trim()) ?? [];
    const unknown = columns.find((name) => !KNOWN.has(name));
    if (unknown !== undefined)
      return { line, reason: `unknown column "${unknown}"; known are ${[...KNOWN].join(', ')}` };
    const repeated = columns.find((name, index) => columns.indexOf(name) !== index);
    if (repeated !== undefined) return { line, reason: `the column "${repeated}" is there twice` };
    if (!columns.includes('username') || !columns.includes('name')) {
      return { line, reason: 'the first line must name the columns, with username and name' };
    }
    this.columns = columns;
    return undefined;
  }
}

/** An export has no passwords, so what looks like a mark of one belongs to the password. */
function cellText(column: string, cell: string): string {
  return column === 'password' ? cell : withoutFormulaMarks(cell);
}

function personFields(cells: ReadonlyMap<string, string>): Record<string, unknown> {
  const words = (column: string): string[] => (cells.get(column) ?? '').split(' ').filter((word) => word !== '');
  const phones = PHONE_KINDS.flatMap((kind) => {
    const number = cells.get(`phone.${kind}`) ?? '';
    return number === '' ? [] : [[kind, number]];
  });
  const texts = [...TEXTS, 'passwordHash', 'password'].flatMap((column) => {
    const text = cells.get(column) ?? '';
    return text === '' ? [] : [[column, text]];
  });
  const blocked = cells.get('blocked') ?? '';
  return {
    ...Object.fromEntries(texts),
    phones: Object.fromEntries(phones),
    ...(words('roles').length === 0 ? {} : { roles: words('roles') }),
    contacts: words('contacts'),
    ...(blocked === '' ? {} : { blocked: blocked === 'true' ? true : blocked === 'false' ? false : blocked }),
  };
}

const OPENING = /^\{ ?"people" ?: ?\[$/;
const CLOSING = /^\] ?\}$/;

/** One person on each line, alone or in the list of a people file as `export` writes it. */
class JsonReader implements LineReader {
  readonly canReadOn = true;

  read({ number: line, text, problem }: BoundedLine): ImportedPerson | RejectedLine | undefined {
    if (problem !== undefined) return { line, reason: problem };
    const json = text.trim();
    if (OPENING.test(json) || CLOSING.test(json)) return undefined;
    let fields: unknown;
    try {
      fields = JSON.parse(json.endsWith(',') ? json.slice(0, -1) : json);
    } catch {
      // The parser's own message contains a piece of the file, and a line may contain a password.
      return { line, reason: 'not the JSON of one person' };
    }
    if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
      return { line, reason: 'not the JSON of one person' };
    }
    return parseImportedPerson(line, { ...fields });
  }
}

function parseImportedPerson(
  line: number,
  { password, ...fields }: Record<string, unknown>,
): ImportedPerson | RejectedLine {
  try {
    const username = String(fields['username']);
    const defaults = { sipAddress: `sip:${username}`, roles: ['user'] };
    const entry = parsePerson({ ...defaults, ...fields }, 'person');
    if (password === undefined) return { line, entry };
    if (typeof password !== 'string') return { line, reason: 'person.password must be a text' };
    if (entry.passwordHash !== undefined) return { line, reason: 'has both password and passwordHash' };
    return { line, entry, password };
  } catch (error) {
    return { line, reason: errorReason(error) };
  }
}

/** The lines of an export; `import` reads them again, and those of `json` are a people file. */
export function* exportedLines(format: Format, people: readonly PersonEntry[]): Generator<string> {
  if (format === 'csv') {
    yield csvLine(COLUMNS);
    for (const person of people) yield csvLine(COLUMNS.map((column) => personCell(person, column)));
    return;
  }
  yield '{"people":[\n';
  for (const [index, person] of people.entries()) {
    yield `${JSON.stringify(person)}${index === people.length - 1 ? '' : ','}\n`;
  }
  yield ']}\n';
}

function personCell(person: PersonEntry, column: string): string {
  const phone = PHONE_KINDS.find((kind) => column === `phone.${kind}`);
  if (phone !== undefined) return person.phones[phone] ?? '';
  const value: unknown = Object.entries(person).find(([key]) => key === column)?.[1];
  if (Array.isArray(value)) return value.join(' ');
  return typeof value === 'string' ? value : value === true ? 'true' : '';
}
