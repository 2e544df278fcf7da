import { jest } from '@jest/globals';
import { IdentityHiding } from '@ringdown/identity-hiding';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { once } from 'node:events';
import { end, start } from '../../test/call-examples.js';
import { deriveCall } from '../calls/derive-call.js';
import { SiteTable } from '../search/sites/site-table.js';
import type { CallPage, PagePosition } from '../store/calls/call-page.js';
import { EXPORT_LIMIT } from '../settings/user-limit-settings.js';
import { CallExport, type CallExportOptions, type ExportFormat, type ExportRequest } from './call-export.js';

const { call } = deriveCall([start(), end()]);
const hiding = new IdentityHiding('seed of these very tests');
/** Calls with several million characters together. */
const LARGE_PAGE = 3_000;

function exportOf(format: ExportFormat, isShown = false): ExportRequest {
  return { filter: {}, sort: 'newest', format, isShown, username: 'anna' };
}

function exporting(queries: CallExportOptions['queries'], stallMs = 60_000, perUser = EXPORT_LIMIT): CallExport {
  const sites = new SiteTable([{ site: 'Oslo & lab', net: '10.0.0.0/8' }]);
  return new CallExport({ queries, hiding, logger: quietLogger(), sites, limitMs: 1_000, perUser, stallMs });
}

/** This many pages of one call each, with a count of the pages that were read. */
class Pages {
  requested = 0;

  constructor(private readonly count: number) {}

  page(_filter: unknown, _sort: unknown, _limit: number, after?: PagePosition): Promise<CallPage> {
    this.requested++;
    const n = (after?.value ?? 0) + 1;
    return Promise.resolve({ calls: [call], next: n < this.count ? { value: n, callKey: 'c1' } : undefined });
  }
}

async function read(stream: AsyncIterable<unknown>): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  return text;
}

describe('a call export', () => {
  it('contains every call of every page', async () => {
    const exports = exporting(new Pages(7));
    expect((await read(await exports.open(exportOf('ndjson')))).split('\n')).toHaveLength(8);
    expect((await read(await exports.open(exportOf('csv')))).split('\r\n')).toHaveLength(9);
  });

  it('has the sites of the parties in the table', async () => {
    const [head = '', line = ''] = (await read(await exporting(new Pages(1)).open(exportOf('csv')))).split('\r\n');
    expect(line.split(',')[head.split(',').indexOf('sites')]).toBe('Oslo & lab');
  });

  it('hides users in every place unless they are to be shown', async () => {
    const exports = exporting(new Pages(1));
    for (const format of ['csv', 'ndjson'] as const) {
      const hidden = await read(await exports.open(exportOf(format)));
      expect(hidden).toContain(`sip:${hiding.token('anna')}@example.test`);
      expect(hidden).not.toContain('anna@');
      expect(await read(await exports.open(exportOf(format, true)))).toContain('sip:anna@example.test');
    }
  });

  it('reads only as far as its client reads', async () => {
    const pages = new Pages(1_000);
    const stream = await exporting(pages).open(exportOf('ndjson'));
    const iterator = stream[Symbol.asyncIterator]();
    for (let n = 0; n < 10; n++) await iterator.next();
    expect(pages.requested).toBeLessThan(20);
    stream.destroy();
  });

  it('continues for a client that takes longer than a minute for one page, but reads all the time', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    try {
      const calls = Array.from({ length: LARGE_PAGE }, () => call);
      const page = (): Promise<CallPage> => Promise.resolve({ calls, next: undefined });
      const stream = await exporting({ page }).open(exportOf('ndjson', true));
      let lines = 0;
      for await (const chunk of stream) {
        const text = String(chunk);
        // What a client takes in a minute at 2 KB/s.
        expect(text.length).toBeLessThan(120_000);
        lines += text.split('\n').length - 1;
        jest.advanceTimersByTime(40_000);
      }
      expect(lines).toBe(LARGE_PAGE);
    } finally {
      jest.useRealTimers();
    }
  });

  it('aborts when a page cannot be read, so that no one considers the file complete', async () => {
    const pages = new Pages(3);
    const failing: Pick<Pages, 'page'> = {
      page: (...parameters) => (pages.requested === 2 ? Promise.reject(new Error('away')) : pages.page(...parameters)),
    };
    const stream = await exporting(failing).open(exportOf('ndjson'));
    await expect(read(stream)).rejects.toThrow('away');
  });

  it('releases its place when its client stalls', async () => {
    const exports = exporting(new Pages(1_000), 50);
    const streams = await Promise.all(Array.from({ length: EXPORT_LIMIT }, () => exports.open(exportOf('csv'))));
    await expect(exports.open(exportOf('csv'))).rejects.toThrow('maximum number of exports is running');
    await Promise.all(streams.map((stream) => once(stream, 'close').catch(() => undefined)));
    await expect(exports.open(exportOf('csv'))).resolves.toBeDefined();
    exports.close();
  });

  it('counts towards the limit of its user and leaves places for other users', async () => {
    const exports = exporting(new Pages(1_000), 60_000, 2);
    const [first] = await Promise.all([exports.open(exportOf('csv')), exports.open(exportOf('csv'))]);
    await expect(exports.open(exportOf('csv'))).rejects.toThrow('maximum number of exports of one user');
    await expect(exports.open({ ...exportOf('csv'), username: 'ben' })).resolves.toBeDefined();
    first.destroy();
    await once(first, 'close');
    await expect(exports.open(exportOf('csv'))).resolves.toBeDefined();
    exports.close();
  });

  it('releases its place when its client disconnects, and ends with the service', async () => {
    const exports = exporting(new Pages(1_000));
    for (let n = 0; n < EXPORT_LIMIT + 1; n++) {
      const stream = await exports.open(exportOf('csv'));
      stream.destroy();
      await once(stream, 'close');
    }
    const last = await exports.open(exportOf('csv'));
    exports.close();
    await expect(read(last)).rejects.toThrow('the service is shutting down');
  });
});
