import { addressLines, LABEL_WIDTH } from './addresses.js';
import { metricTotal } from './metric-total.js';
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
interface ReportedHealth {
  readonly ready: boolean;
  readonly parts: Readonly<Record<string, string>>;
}

const TIMEOUT_MS = 10_000;
/** Metrics that show whether calls are as new as the records, with their descriptions. */
const NUMBERS = {
  ringdown_aggregator_backlog_messages: 'messages of the bus that are not read yet',
  ringdown_aggregator_dropped_messages: 'messages lost before they were read',
  ringdown_collector_waiting_records: 'records that wait for the bus',
};

/** The state of the system of a data folder, from that folder and its own health and metrics. */
export async function statusOf(dataDir: string): Promise<Status> {
  const file = new RunningFile(dataDir);
  const system = file.read();
  if (system === undefined) return { code: 3, lines: [notRunning(dataDir, file.readUnchecked())] };
  const details = `process ${system.pid}, since ${system.since}, data in ${dataDir}`;
  if (system.inner === undefined) return { code: 1, lines: [`Ringdown is starting or stopping: ${details}`] };
  try {
    const health = await healthOf(system.inner);
    const numbers = await numbersOf(system.inner);
    const parts = Object.entries(health.parts).map(([part, state]) => `  ${part.padEnd(LABEL_WIDTH)} ${state}`);
    const lines = [`Ringdown is running and ${health.ready ? 'ready' : 'NOT ready'}: ${details}`];
    return {
      code: health.ready ? 0 : 1,
      lines: [...lines, '', ...addressLines(system.addresses), '', ...parts, '', ...numbers],
    };
  } catch (error) {
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    const lines = [`Ringdown is running and does NOT reply at ${system.inner}: ${details}`, '', `  ${reason}`];
    return { code: 1, lines };
  }
}

function notRunning(dataDir: string, last: RunningSystem | undefined): string {
  const crashed = last === undefined ? '' : `; process ${last.pid} has ended without a regular stop`;
  return `Ringdown is not running: no process uses ${dataDir} (DATA_DIR)${crashed}`;
}

async function healthOf(inner: string): Promise<ReportedHealth> {
  const response = await fetch(`${inner}/health/ready`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const health: unknown = await response.json();
  if (typeof health !== 'object' || health === null || !('ready' in health) || !('parts' in health)) {
    throw new Error(`another program replies at ${inner}`);
  }
  const parts = Object.entries(health.parts ?? {}).map(([part, state]) => [part, String(state)]);
  return { ready: health.ready === true, parts: Object.fromEntries(parts) };
}

async function numbersOf(inner: string): Promise<string[]> {
  const response = await fetch(`${inner}/metrics`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const exposition = await response.text();
  return Object.entries(NUMBERS).flatMap(([metric, description]) => {
    const total = metricTotal(exposition, metric);
    return total === undefined ? [] : [`  ${String(total).padStart(8)} ${description}`];
  });
}
