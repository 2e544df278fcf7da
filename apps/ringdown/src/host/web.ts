import { ConnectionLimits } from '@ringdown/node-http';
import { closeAfterFailure, type RunningProcess } from '@ringdown/service';
import { readSettings, type Environment, type SettingValues } from '@ringdown/settings';
import { listen, listenPlain, publicOriginSettings } from '@ringdown/web-server';
import { createWebApplication } from '@ringdown/web-service';
import { X509Certificate } from 'node:crypto';
import { Server as TlsServer } from 'node:tls';
import { serveConsole } from '../console.js';
import type { AcmeChoice } from '../acme/settings.js';
import type { ringdownSettings } from '../settings.js';
import type { Certificate } from './certificate.js';
import type { PortLimits } from './connection-room.js';
import { WebCertificate } from './web-certificate.js';

/** Long enough to be useful, and short enough if something else on the host has to be reached without HTTPS later. */
const HSTS_SECONDS = 30 * 86_400;
/** With a certificate made here that stays, the host is mostly localhost, where other programs of a developer use plain HTTP. */
const HSTS_SECONDS_MADE_HERE = 300;

export interface GeneratedCertificate {
  readonly file: string;
  /** SHA-256, as browsers show it. */
  readonly fingerprint: string;
  /** Host of the authority that has been asked for another one. */
  readonly authority: string | undefined;
}

interface WebParts {
  readonly services: Parameters<typeof createWebApplication>[0]['services'];
  readonly running: RunningProcess;
  /** As the services see it. */
  readonly env: Environment;
  /** For a certificate made here. */
  readonly folder: string;
  readonly acme: AcmeChoice | undefined;
}

export interface Web {
  readonly origin: string;
  readonly hasConsole: boolean;
  /** Undefined with the operator's own, and with one of an authority. */
  readonly generated: GeneratedCertificate | undefined;
  /** The listener is called when another certificate is used, with the same. */
  onCertificate(listener: (generated: GeneratedCertificate | undefined) => void): void;
  close(): Promise<void>;
}

/** Opens the web interface with the console on its ports. */
export async function openWeb(
  settings: SettingValues<typeof ringdownSettings> & PortLimits,
  { services, running, env, folder, acme }: WebParts,
): Promise<Web> {
  const web = settings.vendorProfile.web;
  const { logger, metrics, health } = running;
  const { publicOrigins } = readSettings(publicOriginSettings, env);
  const discoveryHosts = settings.sipDomains.flatMap((domain) =>
    web.discoveryLabels.map((label) => `${label}.${domain}`),
  );
  const ownCertificate = await WebCertificate.open({
    certFile: settings.tlsCert,
    keyFile: settings.tlsKey,
    folder,
    hosts: [...publicOrigins.all.map((origin) => new URL(origin).hostname), ...discoveryHosts, ...(acme?.hosts ?? [])],
    acme,
    logger,
    metrics,
    health,
  });
  const { cert, key, generated } = ownCertificate.current;
  const { most: maxConnections, perAddress: connectionsPerAddress } = settings;
  const limits = new ConnectionLimits({ ...settings, maxConnections, connectionsPerAddress, logger, metrics });
  const app = await createWebApplication({
    services,
    running,
    tls: {
      cert,
      key,
      alpnCallback: ownCertificate.challenges?.alpnCallback(),
      hstsSeconds:
        settings.hstsSeconds ?? (generated === undefined || acme !== undefined ? HSTS_SECONDS : HSTS_SECONDS_MADE_HERE),
    },
    webInterface: { web, publicOrigins, allowedOrigins: settings.allowedOrigins },
    trustedProxies: settings.trustedProxies,
    limits,
  });
  try {
    const hasConsole = await serveConsole(app.getHttpAdapter().getInstance());
    if (!hasConsole) logger.warn('the console has not been built: npm run build');
    const server: unknown = app.getHttpServer();
    if (server instanceof TlsServer) ownCertificate.follow(server);
    await listen(app, settings.port, settings.listenHost);
    const plain =
      settings.httpPort === undefined
        ? undefined
        : await listenPlain(app, web, settings.httpPort, settings.listenHost, {
            limits,
            answered: ownCertificate.challenges?.answered,
          });
    ownCertificate.start();
    const close = async (): Promise<void> => {
      await ownCertificate.close();
      await plain?.close();
      await app.close();
    };
    return {
      origin: publicOrigins.first,
      hasConsole,
      get generated() {
        return madeHere(ownCertificate.current, acme);
      },
      onCertificate: (listener) => ownCertificate.onChange((used) => listener(madeHere(used, acme))),
      close,
    };
  } catch (error) {
    await ownCertificate.close();
    await closeAfterFailure(app, logger);
    throw error;
  }
}

function madeHere({ generated, cert }: Certificate, acme: AcmeChoice | undefined): GeneratedCertificate | undefined {
  if (generated === undefined) return undefined;
  const { fingerprint256: fingerprint } = new X509Certificate(cert);
  return { file: generated, fingerprint, authority: acme && new URL(acme.directory).host };
}
