import { errorReason, nodeErrorCode } from '@ringdown/errors';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeDurably } from '../files/durable-file.js';
import { AcmeFailure } from './acme-failure.js';

/** An order that an authority has, or is about to get. Kept before it is asked for anything, so that none is ordered twice. */
export interface PendingOrder {
  readonly directory: string;
  readonly hosts: readonly string[];
  /** Of the certificate, PEM. */
  readonly key: string;
  /** Undefined until the authority has answered. */
  readonly url?: string;
}

/** What must outlive this process. */
export interface AcmeState {
  /** Directory of the authority that has issued the certificate. */
  readonly issuedBy?: string;
  readonly order?: PendingOrder;
  /** Attempts that have failed since the last certificate, ISO 8601, oldest first. */
  readonly failures: readonly string[];
  /** Why the last one failed. */
  readonly reason?: string;
  readonly kind?: string;
  /** The authority wants to be left alone until then. */
  readonly retryAfter?: string;
}

const MOST_FAILURES = 20;

/** The files of ACME below the folder of certificates. Only the user of the system can read them. */
export class AcmeFiles {
  private readonly stateFile: string;
  private readonly accountKeyFile: string;
  /** Certificate, those between it and the root, and key in one file: they always belong together. */
  readonly certificate: string;

  constructor(private readonly folder: string) {
    this.certificate = join(folder, 'certificate.pem');
    this.stateFile = join(folder, 'state.json');
    this.accountKeyFile = join(folder, 'account-key.pem');
  }

  /** Whose account at the authority it is. Made at first. */
  async accountKey(make: () => Promise<string>): Promise<string> {
    const known = readIfThere(this.accountKeyFile);
    if (known !== undefined) return known;
    const key = await make();
    this.write(this.accountKeyFile, key);
    return key;
  }

  readCertificate(): string | undefined {
    return readIfThere(this.certificate);
  }

  writeCertificate(pem: string): void {
    this.write(this.certificate, pem);
  }

  readState(): AcmeState {
    try {
      return parseState(JSON.parse(readIfThere(this.stateFile) ?? '{}'));
    } catch (error) {
      // Damaged: what it knew is learnt again.
      if (error instanceof SyntaxError) return { failures: [] };
      throw error;
    }
  }

  writeState(state: AcmeState): void {
    const failures = state.failures.slice(-MOST_FAILURES);
    this.write(this.stateFile, `${JSON.stringify({ ...state, failures }, undefined, 2)}\n`);
  }

  private write(file: string, content: string): void {
    try {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      writeDurably(file, content);
    } catch (error) {
      throw new AcmeFailure('disk', `${file} cannot be written: ${errorReason(error)}`, { cause: error });
    }
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (nodeErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

type Unchecked<T> = Partial<Record<keyof T, unknown>>;

function parseState(value: unknown): AcmeState {
  const { issuedBy, order, failures, reason, kind, retryAfter }: Unchecked<AcmeState> = Object(value);
  const pending = parseOrder(order);
  return {
    failures: texts(failures) ?? [],
    ...(typeof issuedBy === 'string' && { issuedBy }),
    ...(pending !== undefined && { order: pending }),
    ...(typeof reason === 'string' && { reason }),
    ...(typeof kind === 'string' && { kind }),
    ...(typeof retryAfter === 'string' && { retryAfter }),
  };
}

function parseOrder(value: unknown): PendingOrder | undefined {
  const { directory, hosts, key, url }: Unchecked<PendingOrder> = Object(value);
  const names = texts(hosts);
  if (typeof directory !== 'string' || typeof key !== 'string' || names === undefined) return undefined;
  return { directory, hosts: names, key, ...(typeof url === 'string' && { url }) };
}

function texts(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.every((each) => typeof each === 'string') ? value : undefined;
}
