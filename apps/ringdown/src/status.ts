import { addressLines } from './addresses.js';
import { RunningFile, type RunningSystem } from './running-system.js';

/**
 * Exit codes as service managers know them (LSB): 0 runs, 3 does not; 1 is ours, for a running system that is not
 * ready.
 */
export type StatusCode = 0 | 1 | 3;

export interface Status {
  readonly code: StatusCode;
  readonly lines: readonly string[];
}

/** The state of each part by its name: `ok`, or the problem. */
interface Health {
  readonly ready: boolean;
  readonly parts: Readonly<Record<string, string>>;
}

const PATIENCE_MS = 10_000;
const WIDTH = 23;
/** Metrics that show whether calls are as new as the records, with their descriptions; sums over all partitions. */
const NUMBERS = {
  ringdown_aggregator_backlog_messages: 'messages of the bus still to be read',
  ringdown_aggregator_dropped_messages: 'messages lost before they were read',
  ringdown_collector_waiting_records: 'records that wait for the bus',
};

/** The state of the system of a data folder, from that folder and its own health and metrics. */
export async function statusOf(dataDir: string): Promise<Status> {
  const file = new RunningFile(dataDir);
  const system = file.read();
  if (system === undefined) return { code: 3, lines: [notRunning(dataDir, file.lastSaid())] };
  const whose = `process ${system.pid}, since ${system.since}, data in ${dataDir}`;
  if (system.inner === undefined) return { code: 1, lines: [`Ringdown is starting or stopping: ${whose}`] };
  try {
    const health = await healthOf(system.inner);
    const numbers = await numbersOf(system.inner);
    const parts = Object.entries(health.parts).map(([part, state]) => `  ${part.padEnd(WIDTH)} ${state}`);
    const lines = [`Ringdown is running and ${health.ready ? 'ready' : 'NOT ready'}: ${whose}`];
    return {
      code: health.ready ? 0 : 1,
      lines: [...lines, '', ...addressLines(system.addresses), '', ...parts, '', ...numbers],
    };
  } catch (error) {
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    const lines = [`Ringdown is running and does NOT answer at ${system.inner}: ${whose}`, '', `  ${reason}`];
    return { code: 1, lines };
  }
}

function notRunning(dataDir: string, last: RunningSystem | undefined): string {
  const crashed = last === undefined ? '' : `; process ${last.pid} has ended without stopping in order`;
  return `Ringdown is not running: no process uses ${dataDir} (DATA_DIR)${crashed}`;
}

async function healthOf(inner: string): Promise<Health> {
  const answer = await fetch(`${inner}/health/ready`, { signal: AbortSignal.timeout(PATIENCE_MS) });
  const said: unknown = await answer.json();
  if (typeof said !== 'object' || said === null || !('ready' in said) || !('parts' in said)) {
    throw new Error(`something else answers at ${inner}`);
  }
  const parts = Object.entries(said.parts ?? {}).map(([part, state]) => [part, String(state)]);
  return { ready: said.ready === true, parts: Object.fromEntries(parts) };
}

async function numbersOf(inner: string): Promise<string[]> {
  const answer = await fetch(`${inner}/metrics`, { signal: AbortSignal.timeout(PATIENCE_MS) });
  const lines = (await answer.text()).split('\n');
  return Object.entries(NUMBERS).flatMap(([metric, words]) => {
    const values = lines.filter((line) => line.startsWith(`${metric} `) || line.startsWith(`${metric}{`));
    const sum = values.reduce((total, line) => total + Number(line.slice(line.lastIndexOf(' '))), 0);
    return values.length === 0 ? [] : [`  ${String(sum).padStart(8)} ${words}`];
  });
}
