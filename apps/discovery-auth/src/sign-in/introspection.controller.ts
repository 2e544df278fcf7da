import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { TOKENS_INTROSPECT_PATTERN } from '@ringdown/contracts/tokens';
import type { IntrospectionReply } from '@ringdown/token-validation';
import { DISCOVERY_AUTH } from '../transport.js';
import { Tokens } from './tokens.js';

const SHA256_HEX = /^[0-9a-f]{64}$/;

/** Replies to the other services with the owner of a token, given its hash. */
@Controller()
export class IntrospectionController {
  constructor(private readonly tokens: Tokens) {}

  @MessagePattern(TOKENS_INTROSPECT_PATTERN, DISCOVERY_AUTH)
  async introspect(@Payload() request: unknown): Promise<IntrospectionReply> {
    const hash =
      typeof request === 'object' && request !== null && 'tokenHash' in request ? request.tokenHash : undefined;
    if (typeof hash !== 'string' || !SHA256_HEX.test(hash)) return { principal: null };
    return { principal: await this.tokens.principalOf(hash) };
  }
}
