import { LastValue } from '@ringdown/web-server';
import { IsOptional, IsString } from 'class-validator';

/** The user or domain that a client discovers, as far as it names one (web-interface.md, section 1). */
export class DiscoveryQuery {
  @LastValue()
  @IsOptional()
  @IsString()
  readonly sipUri?: string;

  @LastValue()
  @IsOptional()
  @IsString()
  readonly originalDomain?: string;
}
