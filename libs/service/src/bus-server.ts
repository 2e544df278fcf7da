import { Server, type CustomTransportStrategy } from '@nestjs/microservices';
import type { Bus } from '@ringdown/nats';
import { firstValueFrom } from 'rxjs';

export interface BusServerOptions {
  readonly bus: Bus;
  /** Replicas of the service share its requests, except those of subjects with `{replica}` in them. */
  readonly service: string;
  /** Second argument of `@MessagePattern`: which handlers of a process with several services belong to this one. */
  readonly transportId: symbol;
}

/**
 * Serves the `@MessagePattern` handlers of one service over the connection of that service. Requests and replies are
 * plain JSON, as {@link Bus.request} sends and reads them.
 */
export class BusServer extends Server implements CustomTransportStrategy {
  override readonly transportId: symbol;
  private readonly endings: (() => void)[] = [];

  constructor(private readonly options: BusServerOptions) {
    super();
    this.transportId = options.transportId;
  }

  listen(listening: (error?: unknown) => void): void {
    const { bus, service } = this.options;
    for (const [pattern, handler] of this.messageHandlers) {
      const reply = async (message: unknown): Promise<unknown> => {
        const request = requestIn(message);
        const response: unknown = await firstValueFrom(this.transformToObservable(await handler(request.data)));
        return request.envelope === undefined ? response : { id: request.envelope, response, isDisposed: true };
      };
      const isOfReplica = pattern.includes(REPLICA);
      const subject = pattern.replace(REPLICA, bus.replica);
      this.endings.push(bus.respond(subject, reply, isOfReplica ? undefined : service));
    }
    // After the flush: when the service is reported as running, its subjects are served.
    bus.connection.flush().then(() => listening(), listening);
  }

  close(): void {
    for (const end of this.endings.splice(0)) end();
  }

  on(): never {
    throw new Error('the connection to the bus has its own listeners: Bus.onDisconnect, Bus.onReconnect');
  }

  override unwrap(): never {
    throw new Error('inject the Bus of the service instead');
  }
}

/** Placeholder in a pattern for the replica of the service's connection. */
export const REPLICA = '{replica}';

/**
 * An older service sends requests in the format of Nest's own client and expects replies in it: an upgrade is rolling.
 */
function requestIn(message: unknown): { readonly data: unknown; readonly envelope?: unknown } {
  if (typeof message !== 'object' || message === null) return { data: message };
  if (!('id' in message && 'pattern' in message)) return { data: message };
  return { data: 'data' in message ? message.data : undefined, envelope: message.id };
}
