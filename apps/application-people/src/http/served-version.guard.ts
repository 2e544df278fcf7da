import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { InterfaceError } from '@ringdown/web-server/errors';
import { reasons } from '@ringdown/hypermedia';
import { WEB_NAMES } from '@ringdown/token-validation';
import type { WebNames } from '@ringdown/vendor-profile';
import type { FastifyRequest } from 'fastify';

/** The newest revision of resources that is served; every response has the newest (web-interface.md, section 12). */
const NEWEST = 2;

/**
 * Throws {@link InterfaceError} `APIVersionNotSupported` for a client that needs a newer revision than the server has.
 */
@Injectable()
export class ServedVersionGuard implements CanActivate {
  constructor(@Inject(WEB_NAMES) private readonly web: WebNames) {}

  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<FastifyRequest>();
    const name = `${this.web.headerPrefix}RequiresMinResourceVersion`;
    const wanted = headers[name.toLowerCase()];
    if (wanted === undefined || wanted === '') return true;
    const version = String(wanted);
    if (!/^\d+(\.\d+)?$/.test(version)) {
      throw new InterfaceError(reasons.parameterValidationFailure, {
        message: `${name} must be a number like 2 or 2.0.`,
      });
    }
    if (Number(version) > NEWEST) {
      const message = `Version ${version} is not supported; the newest is ${NEWEST}.`;
      throw new InterfaceError(reasons.apiVersionNotSupported, { message });
    }
    return true;
  }
}
