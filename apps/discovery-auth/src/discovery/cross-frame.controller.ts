import { Controller, Get, Res } from '@nestjs/common';
import { ResourceWriter } from '@ringdown/hypermedia';
import type { FastifyReply } from 'fastify';
import { crossFramePage, type CrossFramePage } from './cross-frame-page.js';

/** The cross-frame page. Every page may frame it: each request is checked for whether its origin is allowed. */
@Controller('xframe')
export class CrossFrameController {
  private readonly page: CrossFramePage;

  constructor(writer: ResourceWriter) {
    this.page = crossFramePage(writer.web);
  }

  @Get()
  show(@Res({ passthrough: true }) reply: FastifyReply): string {
    void reply.headers({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': this.page.policy,
    });
    return this.page.html;
  }
}
