import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { isNativeError } from 'node:util/types';

/** A listener that cannot be opened is the operator's to mend, so the reason is said in the operator's words. */
export async function listen(app: NestFastifyApplication, port: number, host: string): Promise<number> {
  try {
    await app.listen(port, host);
  } catch (error) {
    throw new Error(listenReason(error, port, host), { cause: error });
  }
  const address = app.getHttpServer().address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

export function listenReason(error: unknown, port: number, host: string): string {
  const code = isNativeError(error) && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return `port ${port} on ${host} is in use by another program`;
  if (code === 'EACCES') return `port ${port} on ${host} may not be opened by this user`;
  if (code === 'EADDRNOTAVAIL') return `${host} is not an address of this machine`;
  return `cannot listen on ${host}:${port}: ${isNativeError(error) ? error.message : String(error)}`;
}
