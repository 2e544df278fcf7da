import { InterfaceError } from '@ringdown/http-server';
import type { IdentityHiding } from '@ringdown/identity-hiding';
import type { Logger } from '@ringdown/observability';
import { Readable } from 'node:stream';
import type { Call } from '../calls/call.js';
import { queryErrors } from '../errors.js';
import type { CallFilter } from '../store/call-filter.js';
import type { CallPage, CallSort } from '../store/call-page.js';
import type { CallQueries } from '../store/call-queries.js';
import { CSV_HEAD, csvLine } from './call-csv.js';
import { fromDatabase } from './database-fault.js';

export type ExportFormat = 'csv' | 'ndjson';

export interface ExportWish {
  readonly filter: CallFilter;
  readonly sort: CallSort;
  readonly format: ExportFormat;
  /** Whether users are shown, not hidden behind tokens. */
  readonly isShown: boolean;
}

const PAGE_CALLS = 500;
/** At a time; each reads as fast as its client takes it. */
export const EXPORT_LIMIT = 4;
/** A client that takes nothing for so long has its place given to others. */
const STALL_MS = 60_000;

/**
 * All calls that fit, written while they are read: a page is asked for once the client has taken the one before, each in
 * a transaction of its own, so that neither memory nor a connection to the database is held up by a slow client.
 */
export class CallExport {
  private readonly running = new Set<Readable>();
  private opening = 0;

  constructor(
    private readonly queries: Pick<CallQueries, 'page'>,
    private readonly hiding: IdentityHiding,
    private readonly logger: Pick<Logger, 'warn'>,
    private readonly stallMs = STALL_MS,
  ) {}

  /** Rejects with an {@link InterfaceError} when the first page cannot be read, or too many exports are running. */
  async open({ filter, sort, format, isShown }: ExportWish): Promise<Readable> {
    if (this.running.size + this.opening >= EXPORT_LIMIT) {
      throw new InterfaceError(queryErrors.tooManyExports, { headers: { 'retry-after': '10' } });
    }
    this.opening++;
    try {
      const first = await fromDatabase(this.queries.page(filter, sort, PAGE_CALLS));
      const pages = this.pages(first, filter, sort);
      return this.start(isShown ? pages : this.hidden(pages), format);
    } finally {
      this.opening--;
    }
  }

  /** Breaks off those that are running: their clients see that something is missing. */
  close(): void {
    for (const each of this.running) each.destroy(new Error('the service ends'));
  }

  private start(pages: AsyncIterable<readonly Call[]>, format: ExportFormat): Readable {
    const stalled = setTimeout(() => stream.destroy(new Error('the client takes nothing')), this.stallMs);
    const stream = Readable.from(written(pages, format, () => stalled.refresh()));
    this.running.add(stream);
    stream.on('error', (error) => this.logger.warn({ reason: error.message }, 'an export was broken off'));
    stream.once('close', () => {
      clearTimeout(stalled);
      this.running.delete(stream);
    });
    return stream;
  }

  private async *hidden(pages: AsyncIterable<readonly Call[]>): AsyncGenerator<readonly Call[]> {
    for await (const calls of pages) yield calls.map((call) => this.hiding.data(call));
  }

  private async *pages(first: CallPage, filter: CallFilter, sort: CallSort): AsyncGenerator<readonly Call[]> {
    let page = first;
    yield page.calls;
    while (page.next !== undefined) {
      page = await this.queries.page(filter, sort, PAGE_CALLS, page.next);
      yield page.calls;
    }
  }
}

async function* written(
  pages: AsyncIterable<readonly Call[]>,
  format: ExportFormat,
  goesOn: () => void,
): AsyncGenerator<string> {
  if (format === 'csv') yield CSV_HEAD;
  const line = format === 'csv' ? csvLine : (call: Call): string => `${JSON.stringify(call)}\n`;
  for await (const calls of pages) {
    goesOn();
    if (calls.length > 0) yield calls.map(line).join('');
  }
}
