import { KeyedSlots } from '@ringdown/concurrency';
import { InterfaceError } from '@ringdown/web-server/errors';
import type { IdentityHiding } from '@ringdown/identity-hiding';
import type { Logger } from '@ringdown/observability';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { Call } from '../calls/call.js';
import { withSites, type SiteLookup } from '../search/sites/site-table.js';
import { queryErrors } from '../errors.js';
import { TimeLimitedHiding } from '../search/names/time-limited-hiding.js';
import type { CallFilter } from '../search/filter/call-filter.js';
import type { CallSort } from '../store/calls/call-orders.js';
import type { CallPage } from '../store/calls/call-page.js';
import type { CallQueries } from '../store/calls/call-queries.js';
import { EXPORT_LIMIT } from '../settings/user-limit-settings.js';
import { CSV_HEAD, csvLine } from './call-csv.js';
import { fromDatabase } from './database-fault.js';
import { listedCall, type ListedCall } from './listed-call.js';

export type ExportFormat = 'csv' | 'ndjson';

export interface ExportRequest {
  readonly filter: CallFilter;
  readonly sort: CallSort;
  readonly format: ExportFormat;
  /** Whether users are shown, not hidden behind tokens. */
  readonly isShown: boolean;
  /** The user who requests the export. */
  readonly username: string;
}

export interface CallExportOptions {
  readonly queries: Pick<CallQueries, 'page'>;
  readonly hiding: Pick<IdentityHiding, 'data' | 'outline'>;
  readonly logger: Pick<Logger, 'warn'>;
  readonly sites: SiteLookup;
  /** The longest time for hiding the users of one call. */
  readonly limitMs: number;
  /** Exports that one user may run at the same time. */
  readonly perUser: number;
  readonly stallMs?: number;
}

/** The maximum; a page of very large calls has fewer. */
const PAGE_CALLS = 500;
/** A usual call has 3,000 to 6,000 characters. Reading is only noticed by the chunk: a slow client gets small ones. */
const CHUNK_CHARACTERS = 64 * 1_024;
/** A client that takes no chunk for this long loses its slot to others. */
const STALL_MS = 60_000;

/**
 * All calls that match, written while they are read: a page is read after the client has received the page before it,
 * each in its own transaction, so that a slow client holds up neither memory nor a database connection.
 */
export class CallExport {
  private readonly running = new Set<Readable>();
  private readonly slots: KeyedSlots;
  private opening = 0;

  constructor(private readonly options: CallExportOptions) {
    this.slots = new KeyedSlots(options.perUser);
  }

  /** Rejects with an {@link InterfaceError} when the first page cannot be read or too many exports are running. */
  async open({ filter, sort, format, isShown, username }: ExportRequest): Promise<Readable> {
    if (this.running.size + this.opening >= EXPORT_LIMIT) {
      throw new InterfaceError(queryErrors.tooManyExports, { headers: { 'retry-after': '10' } });
    }
    const release = this.slots.acquire(username);
    if (release === undefined) {
      throw new InterfaceError(queryErrors.tooManyExportsOfUser, { headers: { 'retry-after': '10' } });
    }
    this.opening++;
    try {
      const first = await fromDatabase(this.options.queries.page(filter, sort, PAGE_CALLS));
      const pages = this.pages(first, filter, sort);
      const table =
        format === 'csv'
          ? this.start(CSV_HEAD, this.lines(pages, isShown, listedCall, this.csvLine))
          : this.start(
              '',
              this.lines(pages, isShown, (call) => call, jsonLine),
            );
      return table.once('close', release);
    } catch (error) {
      release();
      throw error;
    } finally {
      this.opening--;
    }
  }

  /** Aborts the running exports: their clients see that the file is incomplete. */
  close(): void {
    for (const each of this.running) each.destroy(new Error('the service is shutting down'));
  }

  private start(head: string, pages: AsyncIterable<Iterable<string>>): Readable {
    const { logger, stallMs = STALL_MS } = this.options;
    const stalled = setTimeout(() => stream.destroy(new Error('the client stopped reading')), stallMs);
    const stream = Readable.from(written(head, pages, () => stalled.refresh()));
    this.running.add(stream);
    stream.on('error', (error) => logger.warn({ reason: error.message }, 'an export was aborted'));
    stream.once('close', () => {
      clearTimeout(stalled);
      this.running.delete(stream);
    });
    return stream;
  }

  private readonly csvLine = (call: ListedCall): string => csvLine(withSites(call, this.options.sites));

  /** The lines of each page, made of what this operator sees of each row. */
  private async *lines<Row>(
    pages: AsyncIterable<readonly Call[]>,
    isShown: boolean,
    rowOf: (call: Call) => Row,
    line: (row: Row) => string,
  ): AsyncGenerator<Iterable<string>> {
    const limitedHiding = new TimeLimitedHiding(this.options);
    for await (const calls of pages) {
      const rows = calls.map(rowOf);
      yield (isShown ? rows : await limitedHiding.all(rows)).values().map(line);
    }
  }

  private async *pages(first: CallPage, filter: CallFilter, sort: CallSort): AsyncGenerator<readonly Call[]> {
    let [page, limit] = [first, PAGE_CALLS];
    yield page.calls;
    while (page.next !== undefined) {
      // The database reads as many calls as are requested; only a few very large calls fill a page.
      limit = Math.min(PAGE_CALLS, page.calls.length * 2);
      page = await this.options.queries.page(filter, sort, limit, page.next);
      yield page.calls;
    }
  }
}

async function* written(
  head: string,
  pages: AsyncIterable<Iterable<string>>,
  onProgress: () => void,
): AsyncGenerator<string> {
  if (head !== '') yield head;
  for await (const lines of pages) {
    for await (const chunk of inChunks(lines)) {
      // The client has taken the chunk before this one.
      onProgress();
      yield chunk;
    }
  }
}

function jsonLine(call: Call): string {
  return `${JSON.stringify(call)}\n`;
}

/** Several lines at a time; other tasks run in between. */
async function* inChunks(lines: Iterable<string>): AsyncGenerator<string> {
  let chunk = '';
  for (const line of lines) {
    chunk += line;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = '';
    await setImmediate();
  }
  if (chunk !== '') yield chunk;
}
