import { Controller, Get, Headers, Res, UseGuards } from '@nestjs/common';
import { LinkBuilder, ResourceWriter, type Resource } from '@ringdown/hypermedia';
import type { FastifyReply } from 'fastify';
import { discoveryResource, userResource } from './discovery-resources.js';
import { SignedIn } from './signed-in.guard.js';

/** The two documents that lead a client to its applications (spec, rows 1, 2 and 4). */
@Controller()
export class DiscoveryController {
  constructor(
    private readonly writer: ResourceWriter,
    private readonly links: LinkBuilder,
  ) {}

  @Get()
  discover(@Headers('accept') accept: string | undefined, @Res({ passthrough: true }) reply: FastifyReply): Buffer {
    return this.send(accept, reply, discoveryResource(this.links));
  }

  @Get('uc/discovery/user')
  @UseGuards(SignedIn)
  user(@Headers('accept') accept: string | undefined, @Res({ passthrough: true }) reply: FastifyReply): Buffer {
    return this.send(accept, reply, userResource(this.links));
  }

  private send(accept: string | undefined, reply: FastifyReply, resource: Resource): Buffer {
    const { contentType, body } = this.writer.for(accept)(resource);
    void reply.headers({ 'content-type': contentType, 'cache-control': 'no-cache', vary: 'accept' });
    // As bytes: to text, Fastify would add a charset.
    return Buffer.from(body);
  }
}
