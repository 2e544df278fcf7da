import { errorReason } from '@ringdown/errors';

/** Resolves when the part works and rejects with the reason when it does not. */
export type HealthCheck = () => void | Promise<void>;

export interface HealthReport {
  readonly ready: boolean;
  /** `ok` or the reason, by the name of the part. */
  readonly parts: Readonly<Record<string, string>>;
  /** Parts that fail, but without which the service does most of its work: it stays ready. */
  readonly limited: readonly string[];
}

interface Part {
  readonly check: HealthCheck;
  readonly isNeeded: boolean;
  /** A check that has not ended yet; it is not started a second time. */
  running?: Promise<string> | undefined;
}

/** A probe is answered within this time, also when a part does not answer. */
const CHECK_MS = 4_000;

/** The parts that a service needs in order to work; checked by the readiness probe. */
export class Health {
  private readonly checks = new Map<string, Part>();
  private draining = false;
  private starting = false;

  add(part: string, check: HealthCheck): void {
    this.checks.set(part, { check, isNeeded: true });
  }

  /** A part without which the service stays ready, for example because it can still be read from. */
  addLimiting(part: string, check: HealthCheck): void {
    this.checks.set(part, { check, isNeeded: false });
  }

  /** The service reports that it is not ready until the returned function is called. */
  startStarting(): () => void {
    this.starting = true;
    return () => (this.starting = false);
  }

  /** From now on the service reports that it is not ready, so that it gets no new requests while it stops. */
  startDraining(): void {
    this.draining = true;
  }

  async report(): Promise<HealthReport> {
    const checked = await Promise.all(
      [...this.checks].map(async ([name, part]) => ({ name, state: await outcome(part), isNeeded: part.isNeeded })),
    );
    if (this.starting) checked.push({ name: 'service', state: 'starting', isNeeded: true });
    if (this.draining) checked.push({ name: 'service', state: 'stopping', isNeeded: true });
    const failing = checked.filter(({ state }) => state !== 'ok');
    return {
      ready: !failing.some(({ isNeeded }) => isNeeded),
      parts: Object.fromEntries(checked.map(({ name, state }) => [name, state])),
      limited: failing.filter(({ isNeeded }) => !isNeeded).map(({ name }) => name),
    };
  }
}

async function outcome(part: Part): Promise<string> {
  part.running ??= result(part.check).finally(() => (part.running = undefined));
  const late = Promise.withResolvers<string>();
  const timer = setTimeout(() => late.resolve(`no answer within ${CHECK_MS / 1_000} s`), CHECK_MS);
  try {
    return await Promise.race([part.running, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function result(check: HealthCheck): Promise<string> {
  try {
    await check();
    return 'ok';
  } catch (error) {
    return errorReason(error);
  }
}
