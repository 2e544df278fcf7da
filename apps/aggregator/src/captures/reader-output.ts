/** The output of the program that reads captures: lines of JSON, the progress and at the end a summary. */
export interface ReaderProgress {
  /** Read so far, without compression. */
  readonly bytes: number;
  readonly records: number;
}

export interface ReaderSummary {
  readonly calls: number;
  readonly records: number;
  readonly recordsFailed: number;
  readonly unreportedCalls: number;
  readonly problems: readonly { readonly count: number; readonly reason: string }[];
  /** Why nothing was sent. */
  readonly error?: string;
}

const MAX_LINE = 1_000_000;
const MAX_PROBLEMS = 50;
const MAX_REASON = 500;

export class ReaderOutput {
  progress: ReaderProgress = { bytes: 0, records: 0 };
  summary: ReaderSummary | undefined;
  private rest = '';

  add(text: string): void {
    const lines = (this.rest + text).split('\n');
    this.rest = lines.pop() ?? '';
    if (this.rest.length > MAX_LINE) this.rest = '';
    for (const line of lines) this.readLine(line);
  }

  private readLine(line: string): void {
    const value = objectIn(line);
    if (value === undefined) return;
    if ('progress' in value) this.progress = progressOf(fieldsOf(value['progress']));
    else if ('records' in value) this.summary = summaryOf(value);
  }
}

type Fields = Readonly<Record<string, unknown>>;

function objectIn(line: string): Fields | undefined {
  try {
    return fieldsOf(JSON.parse(line));
  } catch {
    // A line that the program printed for people.
    return undefined;
  }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

function progressOf({ bytes, records }: Fields): ReaderProgress {
  return { bytes: countOf(bytes), records: countOf(records) };
}

function summaryOf({ calls, records, recordsFailed, unreportedCalls, problems, error }: Fields): ReaderSummary {
  const listed = Array.isArray(problems) ? problems.slice(0, MAX_PROBLEMS).map(fieldsOf) : [];
  return {
    calls: countOf(calls),
    records: countOf(records),
    recordsFailed: countOf(recordsFailed),
    unreportedCalls: countOf(unreportedCalls),
    problems: listed.map(({ count, reason }) => ({
      count: countOf(count),
      reason: String(reason).slice(0, MAX_REASON),
    })),
    ...(typeof error === 'string' && { error: error.slice(0, MAX_REASON) }),
  };
}

function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;
}
