import { validated } from '@ringdown/web-server';
import { reasons } from '@ringdown/hypermedia';
import type { WebNames } from '@ringdown/vendor-profile';
import { IsIn, IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';
import type { FastifyRequest } from 'fastify';
import { APPLICATION_TYPES, type ApplicationType } from '../sessions/application.js';
import { readParameters } from '../http/request-input.js';

const MAX_LENGTH = 100;

/** Spec, "Application creation request"; lengths and the rest from web-interface.md, section 3. */
export class ApplicationInput {
  @IsNotEmpty()
  @MaxLength(MAX_LENGTH)
  @IsString()
  readonly culture!: string;

  @IsNotEmpty()
  @MaxLength(MAX_LENGTH)
  @IsString()
  readonly endpointId!: string;

  @IsNotEmpty()
  @MaxLength(MAX_LENGTH)
  @IsString()
  readonly userAgent!: string;

  @IsOptional()
  @IsIn(APPLICATION_TYPES)
  readonly type?: ApplicationType | null;

  /** Of a browser tab, which then has an event channel of its own. */
  @IsOptional()
  @MaxLength(MAX_LENGTH)
  @IsString()
  readonly instanceId?: string | null;
}

const NAMES = ['culture', 'endpointId', 'userAgent', 'type', 'instanceId'];

/** Throws InterfaceError with the wrong parameters. */
export function readApplicationInput(
  request: FastifyRequest<{ Body: Buffer | undefined }>,
  web: WebNames,
): ApplicationInput {
  return validated(ApplicationInput, readParameters(request, NAMES, web), reasons.parameterValidationFailure, {
    unknown: 'ignore',
  });
}
