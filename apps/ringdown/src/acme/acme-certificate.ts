import { errorReason } from '@ringdown/errors';
import type { Health, Logger } from '@ringdown/observability';
import { X509Certificate } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { createSecureContext } from 'node:tls';
import { AcmeFailure } from './acme-failure.js';
import { AcmeFiles, type AcmeState, type PendingOrder } from './acme-files.js';
import { newKey, openAuthority } from './authority.js';
import { CaTransport } from './ca-transport.js';
import { certificateFor } from './certificate-order.js';
import { Challenges } from './challenges.js';
import { remedyFor } from './remedies.js';
import { dueAt, isIssued, retryAt } from './schedule.js';
import type { AcmeChoice } from './settings.js';

/** Certificate with those between it and the root, and its key, PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

export interface AcmeCertificateOptions {
  readonly choice: AcmeChoice;
  readonly folder: string;
  /** Served until there is another. */
  readonly first: KeyPair;
  readonly logger: Logger;
  readonly health: Health;
  readonly now?: () => number;
  readonly tickMs?: number;
}

/** Often, because a clock may be set, and a machine may sleep. */
const TICK_MS = 20_000;

/**
 * A certificate from an authority in a file, which others follow: asked for when there is none, and renewed. A failure never
 * stops anything: the last certificate stays, and it is tried again.
 */
export class AcmeCertificate {
  readonly challenges = new Challenges();
  private readonly files: AcmeFiles;
  private readonly now: () => number;
  private state: AcmeState;
  private pem: string;
  private isTried = false;
  private timer: NodeJS.Timeout | undefined;
  private transport: CaTransport | undefined;
  private attempt: Promise<void> | undefined;

  constructor(private readonly options: AcmeCertificateOptions) {
    const { folder, first, health } = options;
    this.now = options.now ?? Date.now;
    this.files = new AcmeFiles(folder);
    this.state = this.files.readState();
    const stored = this.files.readCertificate();
    this.pem = stored !== undefined && isPair(stored) && isIssued(stored) ? stored : inOneFile(first);
    if (this.pem !== stored) this.keepFirst();
    health.addLimiting('certificate', () => this.assertWell());
  }

  /** Always with a certificate and its key: the one from the authority, or the first. */
  get file(): string {
    return this.files.certificate;
  }

  /** What is served. */
  get current(): KeyPair & { readonly isIssued: boolean } {
    return { cert: this.pem, key: this.pem, isIssued: isIssued(this.pem) };
  }

  /** Since the last certificate. */
  get failedAttempts(): number {
    return this.state.failures.length;
  }

  /** Called when the authority can reach the ports. */
  start(): void {
    this.timer = setInterval(() => this.tick(), this.options.tickMs ?? TICK_MS).unref();
    this.tick();
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    this.transport?.close();
    await this.attempt;
  }

  private tick(): void {
    const [now, served] = [this.now(), this.served];
    if (this.attempt !== undefined) return;
    if (now < dueAt(served, this.options.choice)) return this.forgetFailures();
    if (now < retryAt(this.state, served, now, !this.isTried)) return;
    this.isTried = true;
    this.attempt = this.obtain().finally(() => (this.attempt = undefined));
  }

  /** After a clock was set right, or the operator has chosen what there is already. */
  private forgetFailures(): void {
    const { failures, issuedBy } = this.state;
    if (failures.length > 0) this.state = { failures: [], ...(issuedBy !== undefined && { issuedBy }) };
  }

  private get served(): { pem: string; issuedBy: string | undefined } {
    return { pem: this.pem, issuedBy: this.state.issuedBy };
  }

  /** Never rejects. */
  private async obtain(): Promise<void> {
    const { choice, logger } = this.options;
    const transport = new CaTransport(choice.ca);
    this.transport = transport;
    try {
      await this.order(transport);
      const { hosts } = choice;
      logger.info({ hosts, validTo: new X509Certificate(this.pem).validToDate }, 'a new certificate was obtained');
    } catch (error) {
      if (!transport.signal.aborted) this.failed(error);
    } finally {
      transport.close();
    }
  }

  private async order(transport: CaTransport): Promise<void> {
    const { choice } = this.options;
    const accountKey = await this.files.accountKey(newKey);
    const begun = this.begunOrder();
    const pending = begun ?? { directory: choice.directory, hosts: choice.hosts, key: await newKey() };
    // Before anything is asked for: an authority that was asked in vain counts it.
    this.keep({ ...this.state, order: pending });
    const authority = await openAuthority(transport, accountKey, choice);
    const keep = (order: PendingOrder): void => this.keep({ ...this.state, order });
    const { challenges } = this;
    const chain = await certificateFor(pending, { authority, challenges, challenge: choice.challenge, keep });
    const pem = inOneFile({ cert: chain, key: pending.key });
    if (!isPair(pem)) throw this.withoutOrder(new AcmeFailure('unexpectedAnswer', 'the certificate has another key'));
    const isOver = dueAt({ pem, issuedBy: choice.directory }, choice) <= this.now();
    if (isOver && begun?.url !== undefined) {
      // Begun long ago: that certificate is of no use any more.
      this.keep(withoutOrder(this.state));
      return this.order(transport);
    }
    this.files.writeCertificate(pem);
    this.pem = pem;
    this.keep({ issuedBy: choice.directory, failures: [] });
    // It is served, as clients may have the right time, and not asked for again at once.
    if (isOver)
      throw new AcmeFailure('wrongTime', `the new certificate is ${validity(pem)}, and the clock here is wrong`);
  }

  /** The order of a process that ended before it had the certificate. */
  private begunOrder(): PendingOrder | undefined {
    const { order } = this.state;
    const { directory, hosts } = this.options.choice;
    const isSame = order?.directory === directory && isDeepStrictEqual(order.hosts, hosts);
    return isSame ? order : undefined;
  }

  private withoutOrder(error: AcmeFailure): AcmeFailure {
    this.state = withoutOrder(this.state);
    return error;
  }

  /** Kept also in memory, for a disk that is full. */
  private keep(state: AcmeState): void {
    this.state = state;
    this.files.writeState(state);
  }

  private failed(error: unknown): void {
    const { logger } = this.options;
    const now = this.now();
    const { kind, retryAfterMs } = error instanceof AcmeFailure ? error : { kind: 'unknown', retryAfterMs: undefined };
    const { retryAfter: _before, ...state } = this.state;
    this.state = {
      ...state,
      failures: [...state.failures, new Date(now).toISOString()],
      reason: errorReason(error),
      kind,
      ...(retryAfterMs !== undefined && { retryAfter: new Date(now + retryAfterMs).toISOString() }),
    };
    const about = { reason: this.state.reason, remedy: remedyFor(kind), nextAttempt: this.nextAttempt() };
    logger.warn(about, 'there is no new certificate; the one before stays in use');
    try {
      this.files.writeState(this.state);
    } catch (failure) {
      logger.warn({ reason: errorReason(failure) }, 'the failure could not be kept for the next start');
    }
  }

  private keepFirst(): void {
    try {
      this.files.writeCertificate(this.pem);
    } catch (error) {
      // The same will be reported by the attempt that follows.
      this.options.logger.warn({ reason: errorReason(error) }, 'the first certificate could not be kept');
    }
  }

  private nextAttempt(): string {
    const now = this.now();
    const at = Math.max(now, retryAt(this.state, this.served, now, false));
    return new Date(at).toISOString();
  }

  private assertWell(): void {
    const { reason, kind = '' } = this.state;
    if (reason !== undefined) throw new Error(`${reason}; ${remedyFor(kind)}; next attempt: ${this.nextAttempt()}`);
    if (!isIssued(this.pem)) throw new Error('it has been asked for; browsers warn until it is there');
  }
}

function withoutOrder({ order: _order, ...state }: AcmeState): AcmeState {
  return state;
}

function validity(pem: string): string {
  const { validFromDate, validToDate } = new X509Certificate(pem);
  return `valid from ${validFromDate.toISOString()} to ${validToDate.toISOString()}`;
}

function inOneFile({ cert, key }: KeyPair): string {
  return `${cert.trimEnd()}\n${key.trimEnd()}\n`;
}

/** Whether certificate and key in it belong together. */
function isPair(pem: string): boolean {
  try {
    createSecureContext({ cert: pem, key: pem });
    return true;
  } catch {
    return false;
  }
}
