import { LastValue } from '@ringdown/web-server/input';
import { IsOptional, IsString } from 'class-validator';

/** The user or domain in a discovery request, if it contains one (web-interface.md, section 1). */
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
