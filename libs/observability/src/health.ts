/** Resolves when the part works and rejects with the reason when it does not. */
import { reasonOf } from '@ringdown/errors';
export type HealthCheck = () => void | Promise<void>;

export interface HealthReport {
  readonly ready: boolean;
  /** `ok` or the reason, by the name of the part. */
  readonly parts: Readonly<Record<string, string>>;
}

/** The parts that a service needs in order to work; checked by the readiness probe. */
export class Health {
  private readonly checks = new Map<string, HealthCheck>();
  private draining = false;

  add(part: string, check: HealthCheck): void {
    this.checks.set(part, check);
  }

  /** From now on the service reports that it is not ready, so that it gets no new requests while it stops. */
  startDraining(): void {
    this.draining = true;
  }

  async report(): Promise<HealthReport> {
    const parts = await Promise.all(
      [...this.checks].map(async ([name, check]) => [name, await outcome(check)] as const),
    );
    if (this.draining) parts.push(['service', 'stopping']);
    return { ready: parts.every(([, state]) => state === 'ok'), parts: Object.fromEntries(parts) };
  }
}

async function outcome(check: HealthCheck): Promise<string> {
  try {
    await check();
    return 'ok';
  } catch (error) {
    return reasonOf(error);
  }
}
