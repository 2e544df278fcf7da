import { IsIn, IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';
import { APPLICATION_TYPES, type ApplicationType } from '../sessions/application.js';

const MAX_LENGTH = 100;

/** What a client says about itself (web-interface.md, section 3). */
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

  /** The id of a browser tab, which then has its own event channel. */
  @IsOptional()
  @MaxLength(MAX_LENGTH)
  @IsString()
  readonly instanceId?: string | null;
}
