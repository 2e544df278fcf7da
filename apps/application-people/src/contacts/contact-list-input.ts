import { validated } from '@ringdown/web-server';
import { reasons } from '@ringdown/hypermedia';
import type { WebNames } from '@ringdown/vendor-profile';
import { IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import type { FastifyRequest } from 'fastify';
import { putName, requirePutToken } from '../http/put-request.js';
import { readParameters } from '../http/request-input.js';

type InputRequest = FastifyRequest<{ Body: Buffer | undefined }>;

const NOT_BLANK = /\S/;

class NewGroup {
  @Matches(NOT_BLANK, { message: 'displayName must not be empty' })
  @MaxLength(256)
  @IsString()
  readonly displayName!: string;
}

class ChangedGroup {
  @Matches(NOT_BLANK, { message: 'name must not be empty' })
  @MaxLength(256)
  @IsString()
  readonly name!: string;
}

class NewMembership {
  @Matches(NOT_BLANK, { message: 'contactUri must not be empty' })
  @MaxLength(250)
  @IsString()
  readonly contactUri!: string;

  @IsOptional()
  @MaxLength(256)
  @IsString()
  readonly groupId?: string | null;
}

export interface MembershipInput {
  /** With or without `sip:`. */
  readonly contactUri: string;
  readonly groupId?: string;
}

/** The name of a group to be made. Throws InterfaceError with the wrong parameters, as the others here do. */
export function readNewGroup(request: InputRequest, web: WebNames): string {
  return read(NewGroup, readParameters(request, ['displayName'], web)).displayName.trim();
}

/** The new name of the group, from the whole resource with its token. */
export function readChangedGroup(request: InputRequest, groupId: string, web: WebNames): string {
  const input = readParameters(request, ['name', putName(groupId)], web);
  requirePutToken(input, groupId);
  return read(ChangedGroup, input).name.trim();
}

export function readMembership(request: InputRequest, web: WebNames): MembershipInput {
  const { contactUri, groupId } = read(NewMembership, readParameters(request, ['contactUri', 'groupId'], web));
  return { contactUri: contactUri.trim(), ...(groupId ? { groupId } : {}) };
}

function read<T extends object>(type: new () => T, input: Readonly<Record<string, unknown>>): T {
  return validated(type, input, reasons.parameterValidationFailure, { unknown: 'ignore' });
}
