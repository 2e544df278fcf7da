import {
  createParamDecorator,
  Inject,
  Injectable,
  SetMetadata,
  type CanActivate,
  type CustomDecorator,
  type ExecutionContext,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { PublicOrigins } from '@ringdown/web-server';
import { Fault, InterfaceError, type ErrorRow } from '@ringdown/web-server/errors';
import type { WebNames } from '@ringdown/vendor-profile';
import type { FastifyRequest } from 'fastify';
import { bearerToken } from './bearer-token.js';
import { challengeHeaders } from './challenge.js';
import { photoCookieHash } from './photo-cookie.js';
import type { Principal, Role } from './principal.js';
import { TokenValidator } from './token-validator.js';

const ROLE = 'ringdown:role';
const GUESTS = 'ringdown:guests';
const PHOTOS = 'ringdown:photos';
const principals = new WeakMap<FastifyRequest, Principal>();

/** The role that a controller or route requires in addition to a valid token. */
export const NeedsRole = (role: Role): CustomDecorator => SetMetadata(ROLE, role);

/** Marks a controller or route that is open to guests of a meeting; all others are for people of the directory. */
export const GuestsWelcome = (): CustomDecorator => SetMetadata(GUESTS, true);

/** Marks a controller or route that shows photos: there the photo cookie is accepted like a token. */
export const ShowsPhotos = (): CustomDecorator => SetMetadata(PHOTOS, true);

/** Why a guest of a meeting is rejected. */
export const anonymousNotAllowed: ErrorRow = {
  status: 403,
  code: 'Forbidden',
  subcode: 'AnonymousNotAllowed',
  message: 'Guests of a meeting are not allowed to use this.',
};

/** The owner of the request's token; only on routes with {@link TokenGuard}. */
export const CurrentPrincipal = createParamDecorator((_data: unknown, context: ExecutionContext): Principal => {
  return requestPrincipal(context.switchToHttp().getRequest<FastifyRequest>());
});

export function requestPrincipal(request: FastifyRequest): Principal {
  const principal = principals.get(request);
  if (principal === undefined) throw new Error(`no TokenGuard in front of ${request.routeOptions.url ?? 'this route'}`);
  return principal;
}

/** Injects the {@link WebNames} of the vendor profile. */
export const WEB_NAMES = Symbol('web names');

/** Accepts a request when its token is valid and its owner has the role that the route requires. */
@Injectable()
export class TokenGuard implements CanActivate {
  private readonly reflector = new Reflector();

  constructor(
    private readonly validator: TokenValidator,
    @Inject(WEB_NAMES) private readonly web: WebNames,
    private readonly publicOrigins: PublicOrigins,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const targets = [context.getHandler(), context.getClass()];
    const principal = this.reflector.getAllAndOverride<boolean | undefined>(PHOTOS, targets)
      ? ((await this.byCookie(request)) ?? (await this.authenticate(request)))
      : await this.authenticate(request);
    const role = this.reflector.getAllAndOverride<Role | undefined>(ROLE, targets);
    if (role !== undefined && !principal.roles.includes(role)) {
      throw new Fault('forbidden', { message: `The role "${role}" is required.` });
    }
    if (principal.guestOf !== undefined && !this.reflector.getAllAndOverride<boolean | undefined>(GUESTS, targets)) {
      throw new InterfaceError(anonymousNotAllowed);
    }
    principals.set(request, principal);
    return true;
  }

  /**
   * Throws {@link Fault} `unauthorized`, with headers that name the token service, when the request's token is not
   * valid.
   */
  async authenticate(request: FastifyRequest): Promise<Principal> {
    const token = bearerToken(request.headers, this.web);
    const principal = token === undefined ? null : await this.validator.check(token);
    if (principal !== null) return principal;
    const message =
      token === undefined ? 'An access token is required.' : 'The access token is unknown or has expired.';
    const headers = challengeHeaders(this.web, this.publicOrigins.forHost(request.host), message);
    throw new Fault('unauthorized', { headers, message });
  }

  private async byCookie(request: FastifyRequest): Promise<Principal | null> {
    const hash = photoCookieHash(request, this.web);
    return hash === undefined ? null : this.validator.checkHash(hash);
  }
}
