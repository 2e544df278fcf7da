import type { FastifyRequest } from 'fastify';

/** One row of an interface's error table: what a client sees, always the same for the same cause. */
export interface ErrorRow {
  readonly status: number;
  readonly code: string;
  readonly subcode?: string;
  /** What is wrong, as readable text. */
  readonly message: string;
}

export interface WrongParameter {
  readonly name: string;
  readonly reason: string;
  /** Stable, for clients that have their own words for the reason. */
  readonly code?: string;
}

export interface ErrorDetails {
  /** Replaces the message of the row, for example to name what is missing. */
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** Which fields of the request are wrong, and why. */
  readonly parameters?: readonly WrongParameter[];
  readonly cause?: unknown;
}

/** Further wrong parameters of a request are not reported: a body has room for 24,000 of them. */
export const MAX_REPORTED = 20;
const MAX_NAME = 100;
const MAX_REASON = 500;
const MAX_MESSAGE = 2_000;

/**
 * An expected failure with its row of the interface's error table. What the client has sent and is named in the details
 * is shortened.
 */
export class InterfaceError extends Error {
  override readonly name = 'InterfaceError';
  readonly details: ErrorDetails;

  constructor(
    readonly row: ErrorRow,
    { message = row.message, parameters, ...others }: ErrorDetails = {},
  ) {
    super(shortened(message, MAX_MESSAGE), { cause: others.cause });
    this.details = {
      ...others,
      ...(parameters && { parameters: parameters.slice(0, MAX_REPORTED).map(shortParameter) }),
    };
  }
}

/** The name of a parameter as it is shown to the client that has made it up. */
export function shownName(name: string): string {
  return shortened(name, MAX_NAME);
}

function shortParameter({ name, reason, ...others }: WrongParameter): WrongParameter {
  return { ...others, name: shownName(name), reason: shortened(reason, MAX_REASON) };
}

function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;
}

/** What can go wrong on any interface before or outside its own rules. */
export type FaultKind =
  | 'malformed'
  | 'unreadable-body'
  | 'invalid-parameter'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'method-not-allowed'
  | 'not-acceptable'
  | 'timeout'
  | 'too-large'
  | 'unsupported-media-type'
  | 'too-many-requests'
  | 'internal'
  | 'not-implemented'
  | 'unavailable';

/** A failure for which each interface has its own response; {@link ErrorStyle.faults} holds them. */
export class Fault extends Error {
  override readonly name = 'Fault';
  constructor(
    readonly kind: FaultKind,
    readonly details: ErrorDetails = {},
  ) {
    super(details.message ?? kind, { cause: details.cause });
  }
}

/** Throws {@link Fault} `invalid-parameter` about one parameter. */
export function rejectParameter(name: string, reason: string, code?: string): never {
  const parameter = { name, reason, ...(code !== undefined && { code }) };
  throw new Fault('invalid-parameter', { message: reason, parameters: [parameter] });
}

export interface RenderedError {
  readonly contentType: string;
  readonly body: string;
}

/** The format of the errors of one interface. The style with the longest prefix of the request's path is used. */
export interface ErrorStyle {
  readonly prefix: string;
  readonly faults: Readonly<Record<FaultKind, ErrorRow>>;
  /** The header of requests on which the format depends. */
  readonly variesBy?: string;
  render(error: InterfaceError, request: FastifyRequest): RenderedError;
}
