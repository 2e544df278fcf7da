/**
 * The process that reads one uploaded capture and posts its records: `reader-main.js FILE COLLECTOR FRONT_END`, with the ticket of the
 * upload in `UPLOAD_TICKET`, where no list of processes shows it, and in `PINNED_CERTIFICATES` the text of certificates, which a file may
 * no longer have. Prints lines of JSON, the
 * progress and at the end a summary (reader-output.ts). A reader of them that goes away ends the program.
 */
import { collectorAddress, NoCollector } from '@ringdown/feed-client';
import { collectorAccess, collectorTls, senderSettings, traceSettings } from '@ringdown/feed-client/settings';
import { readSettings } from '@ringdown/settings';
import type { ReaderSummary } from './reader-output.js';
import { NOTHING_SENT, sendCapture } from './send-capture.js';

function write(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

async function read(file: string, collector: string, frontEnd: string): Promise<ReaderSummary> {
  const settings = readSettings({ ...senderSettings, ...traceSettings }, process.env);
  const { vendorProfile: profile, trace, traceRtcp, traceQueueLength: queueLength } = settings;
  const { PINNED_CERTIFICATES: pinned, UPLOAD_TICKET: uploadTicket } = process.env;
  try {
    return await sendCapture({
      ...collectorAccess(settings, { current: { ...collectorTls(settings), ...(pinned !== undefined && { pinned }) } }),
      ...(trace === 'on' && { tracing: { rtcp: traceRtcp === 'on', queueLength } }),
      file,
      frontEnd,
      uploadTicket,
      profile,
      address: collectorAddress(collector, profile),
      // sendCapture has pauses of its own.
      resumeAfterMs: 0,
      signal: new AbortController().signal,
      onProgress: (progress) => write({ progress }),
    });
  } catch (error) {
    if (!(error instanceof NoCollector)) throw error;
    return { ...NOTHING_SENT, error: error.message };
  }
}

// The service that started it is gone: nobody would read the report.
process.stdin.on('end', () => process.exit(1)).resume();
const [file = '', collector = '', frontEnd = ''] = process.argv.slice(2);
write(await read(file, collector, frontEnd));
process.stdin.unref();
