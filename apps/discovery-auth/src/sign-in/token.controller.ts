import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { NO_STORE } from './token-errors.js';
import { readTokenRequest } from './token-request.js';
import { TokenService } from './token-service.js';

/** The token service (spec, row 3). Always answers JSON, as clients send any `Accept` or none. */
@Controller('uc/token')
export class TokenController {
  constructor(private readonly service: TokenService) {}

  @Post()
  @HttpCode(200)
  async token(
    @Req() request: FastifyRequest<{ Body: Buffer | undefined }>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer> {
    const grant = readTokenRequest(request.headers['content-type'], request.body);
    const response = await this.service.grant(grant);
    void reply.headers({ ...NO_STORE, 'content-type': 'application/json' });
    // As bytes: to text, Fastify would add a charset.
    return Buffer.from(JSON.stringify(response));
  }
}
