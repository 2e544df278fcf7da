import { ACCESS_LEVELS, type AccessLevel } from '@ringdown/meetings';
import { InterfaceError, validated } from '@ringdown/web-server';
import { reasons } from '@ringdown/hypermedia';
import type { WebNames } from '@ringdown/vendor-profile';
import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { readInput, type RequestBody } from '../http/request-input.js';

/** What a client says about a meeting that it makes; all of it may be left out (web-interface.md, sections 2 and 4). */
class Fields {
  @IsOptional()
  @MaxLength(250)
  @IsString()
  readonly subject?: string | null;

  @IsOptional()
  @MaxLength(4_000)
  @IsString()
  readonly description?: string | null;

  @IsOptional()
  @IsIn(ACCESS_LEVELS)
  readonly accessLevel?: AccessLevel | null;

  @IsOptional()
  @MaxLength(40)
  @IsString()
  readonly expirationTime?: string | null;
}

export interface OnlineMeetingInput {
  readonly accessLevel: AccessLevel;
  readonly subject?: string;
  readonly description?: string;
  /** Milliseconds since 1970. */
  readonly expiresAt?: number;
}

const NAMES = ['subject', 'description', 'accessLevel', 'expirationTime'];

/** Throws InterfaceError with the wrong parameters. A meeting is open to guests unless its maker says otherwise. */
export function readOnlineMeetingInput(request: RequestBody, web: WebNames, now: number): OnlineMeetingInput {
  const input = readInput(request, NAMES, web);
  const fields = validated(Fields, input, reasons.parameterValidationFailure, { unknown: 'ignore' });
  const { subject, description, accessLevel, expirationTime } = fields;
  return {
    accessLevel: accessLevel ?? 'Everyone',
    ...(subject ? { subject } : {}),
    ...(description ? { description } : {}),
    ...(expirationTime ? { expiresAt: readExpirationTime(expirationTime, now) } : {}),
  };
}

/** Clients write times in two ways (web-interface.md, section 9). */
function readExpirationTime(text: string, now: number): number {
  const [, milliseconds] = /^\/Date\((\d{1,15})\)\/$/.exec(text) ?? [];
  const time = milliseconds === undefined ? readIsoTime(text) : Number(milliseconds);
  if (time > now) return time;
  const reason = 'expirationTime must be a time to come, like 2026-01-02T03:04:05Z';
  throw new InterfaceError(reasons.parameterValidationFailure, {
    message: reason,
    parameters: [{ name: 'expirationTime', reason }],
  });
}

function readIsoTime(text: string): number {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) ? Date.parse(text) : Number.NaN;
}
