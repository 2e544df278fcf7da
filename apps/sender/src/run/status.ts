import { errorReason } from '@ringdown/errors';
import { readSettings } from '@ringdown/settings';
import { senderInnerSettings } from './run-settings.js';

/** Numbers of a running sender, by the names of its metrics without `ringdown_sender_`. */
export type SenderStatus = Readonly<Record<string, number>>;

const METRIC = /^ringdown_sender_(\w+)(?:\{([^}\n]*)\})? ([\d.e+-]+)$/;
const TIMEOUT_MS = 5_000;

/** Requests the metrics of the sender on this machine, at INNER_PORT. Throws an Error with the reason if it fails. */
export async function readStatus(): Promise<SenderStatus> {
  const { innerHost, innerPort } = readSettings(senderInnerSettings, process.env);
  const url = `http://${innerHost}:${innerPort}/metrics`;
  const text = await fetchMetrics(url);
  const numbers = text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = METRIC.exec(line) ?? [];
    if (name === undefined) return [];
    const words = labels.replaceAll(/(?<!\w)\w+="([^"]*)"/g, '$1').replaceAll(/[^\w]+/g, '_');
    return [[words === '' ? name : `${name}.${words}`, Number(value)] as const];
  });
  if (numbers.length === 0) throw new Error(`no sender answers at ${url}: the answer comes from another program`);
  return Object.fromEntries(numbers);
}

async function fetchMetrics(url: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return await response.text();
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw new Error(`no sender answers at ${url}: ${errorReason(cause)}`, {
      cause: error,
    });
  }
}

export function formatStatus(status: SenderStatus): string {
  const width = Math.max(...Object.keys(status).map((name) => name.length));
  return Object.entries(status)
    .map(([name, value]) => `${name.padEnd(width)} ${value}\n`)
    .join('');
}
