import { splitUrl } from '@ringdown/bus';
import {
  createListener,
  crossOriginSettings,
  listen,
  listenerSettings,
  publicOriginSettings,
  type WebPart,
} from '@ringdown/http-server';
import type { SettingFields, SettingValues } from '@ringdown/settings';
import { profileSettings } from '@ringdown/vendor-profile';
import { inContext, readServiceSettings, runProgram } from './run-service.js';
import { contextSettings, type ServiceContext } from './service-context.js';

/** A service that is one part of the web origin: it can run alone behind an edge or beside others in one listener. */
export interface WebService<F extends SettingFields> {
  readonly name: string;
  readonly fields: F;
  /** Opens what the part needs; its Nest module closes it again in its shutdown hooks. */
  open(settings: SettingValues<F>, context: ServiceContext): Promise<WebPart>;
}

export const edgeSettings = {
  ...listenerSettings,
  ...profileSettings,
  ...publicOriginSettings,
  ...crossOriginSettings,
};

/** Runs one web service as a process of its own. */
export async function runWebService<F extends SettingFields>(service: WebService<F>): Promise<void> {
  await runProgram(service.name, async () => {
    const { own, edge, common } = readServiceSettings({
      own: service.fields,
      edge: edgeSettings,
      common: contextSettings,
    });
    return inContext(service.name, common, async (context) => {
      const app = await createListener({
        parts: [await service.open(own, context)],
        logger: context.logger,
        metrics: context.metrics,
        webInterface: {
          web: edge.vendorProfile.web,
          publicOrigins: edge.publicOrigins,
          allowedOrigins: edge.allowedOrigins,
        },
        trustedProxies: edge.trustedProxies,
        requestReply: { ...splitUrl(context.natsUrl), queue: service.name },
      });
      const port = await listen(app, edge.servicePort, edge.serviceHost);
      return { address: `http://${edge.serviceHost}:${port}`, close: () => app.close() };
    });
  });
}
