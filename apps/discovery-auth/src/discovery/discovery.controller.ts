import { Controller, Get, Req, Res, UseGuards } from '@nestjs/common';
import { PublicOrigins } from '@ringdown/web-server';
import { QueryParameters } from '@ringdown/web-server/input';
import { LinkBuilder, mediaTypes, negotiate, ResourceWriter, type Representation } from '@ringdown/hypermedia';
import { CurrentPrincipal, GuestsWelcome, TokenGuard, type Principal } from '@ringdown/token-validation';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DiscoveryQuery } from './discovery-query.js';
import { discoveryResource, userResource } from './discovery-resources.js';
import type { DomainHome } from '../domain-homes.js';
import { Domains } from './domains.js';
import { nativeRoot, nativeType, nativeUser } from './native-discovery.js';

/** As the deployed server sends them; no cache may store the documents. */
const HEADERS = { 'cache-control': 'no-cache', pragma: 'no-cache', expires: '-1', vary: 'accept' } as const;

/** The two documents that lead a client to its applications (web-interface.md, sections 1 and 2). */
@Controller()
export class DiscoveryController {
  constructor(
    private readonly writer: ResourceWriter,
    private readonly publicOrigins: PublicOrigins,
    private readonly domains: Domains,
  ) {}

  @Get()
  discover(
    @QueryParameters() query: DiscoveryQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Buffer {
    const { web } = this.writer;
    const home = this.domains.ofDiscovery(query, request.host);
    const links = this.linksFor(request, home);
    if (this.isNative(request)) return send(reply, nativeRoot(links, web, home));
    return send(reply, this.writer.for(request.headers.accept)(discoveryResource(links, home.redirect)));
  }

  @Get('uc/discovery/user')
  @GuestsWelcome()
  @UseGuards(TokenGuard)
  user(
    @CurrentPrincipal() principal: Principal,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Buffer {
    const home = this.domains.ofAddress(principal.guestOf ?? principal.sipAddress);
    const links = this.linksFor(request, home);
    if (this.isNative(request)) return send(reply, nativeUser(links, this.writer.web, home));
    return send(reply, this.writer.for(request.headers.accept)(userResource(links, home.redirect)));
  }

  private linksFor(request: FastifyRequest, { origin }: DomainHome): LinkBuilder {
    return new LinkBuilder({
      web: this.writer.web,
      publicOrigin: origin ?? this.publicOrigins.forHost(request.host),
    });
  }

  private isNative({ headers }: FastifyRequest): boolean {
    const native = nativeType(this.writer.web);
    return negotiate(headers.accept, [...mediaTypes(this.writer.web), native]) === native;
  }
}

function send(reply: FastifyReply, { contentType, body }: Representation): Buffer {
  void reply.headers({ ...HEADERS, 'content-type': contentType });
  // As bytes, because Fastify would add a charset to text.
  return Buffer.from(body);
}
