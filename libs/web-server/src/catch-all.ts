import { applyDecorators, All } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';

const CATCH_ALL = 'ringdownCatchAll';

/**
 * A route for every method and path below that no other route serves. Its guards decide before the method does; it is
 * not among the methods that a path allows.
 */
export const CatchAll = (): MethodDecorator => applyDecorators(RouteConfig({ [CATCH_ALL]: true }), All('*'));

export function isCatchAll(config: unknown): boolean {
  return typeof config === 'object' && config !== null && CATCH_ALL in config;
}
