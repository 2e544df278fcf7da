import { aggregator } from '@ringdown/aggregator';
import { applicationPeople } from '@ringdown/application-people';
import { collector } from '@ringdown/collector';
import { discoveryAuth } from '@ringdown/discovery-auth';
import { runSettings } from '@ringdown/sender';
import { contextSettings } from '@ringdown/service';
import { edgeSettings } from '@ringdown/web-service';
import type { Environment, SettingFields } from '@ringdown/settings';
import { subscribers } from '@ringdown/subscribers';
import { ringdownSettings } from './settings.js';

/** Settings that the one process reads. */
export const settingGroups: Readonly<Record<string, SettingFields>> = {
  discoveryAuth: discoveryAuth.fields,
  applicationPeople: applicationPeople.fields,
  aggregator: aggregator.fields,
  collector: collector.fields,
  subscribers: subscribers.fields,
  own: ringdownSettings,
  context: contextSettings,
};

/** Settings that docker-compose.yml and the files beside it read, and no program of ours. */
export const composeNames = [
  'AGGREGATOR_REPLICAS',
  'BACKUP_FOLDER',
  'COLLECTOR_BALANCE',
  'COLLECTOR_REPLICAS',
  'COMPOSE_DOCKER_CLI_BUILD',
  'COMPOSE_PROJECT_NAME',
  'DOCKER_BUILDKIT',
  'EDGE_ACME_DIRECTORY',
  'EDGE_HOSTS',
  'EDGE_TLS',
  'GRAFANA_PORT',
  'NATS_KEY_AGGREGATOR',
  'NATS_KEY_APPLICATION_PEOPLE',
  'NATS_KEY_BACKUP',
  'NATS_KEY_BACKUP_PEOPLE',
  'NATS_KEY_COLLECTOR',
  'NATS_KEY_DISCOVERY_AUTH',
  'NATS_KEY_SUBSCRIBERS',
  'NATS_SEED_AGGREGATOR',
  'NATS_SEED_APPLICATION_PEOPLE',
  'NATS_SEED_BACKUP',
  'NATS_SEED_BACKUP_PEOPLE',
  'NATS_SEED_COLLECTOR',
  'NATS_SEED_DISCOVERY_AUTH',
  'NATS_SEED_SUBSCRIBERS',
  'NATS_CLUSTER_PASSWORD',
  'OIDC_CA_FILE',
  'POSTGRES_CLUSTER_PASSWORD',
  'POSTGRES_PASSWORD',
  'PROMETHEUS_PORT',
  'RINGDOWN_CADDY_IMAGE',
  'RINGDOWN_ETCD_IMAGE',
  'RINGDOWN_PATRONI_IMAGE',
  'RINGDOWN_GRAFANA_IMAGE',
  'RINGDOWN_HAPROXY_IMAGE',
  'RINGDOWN_IMAGE',
  'RINGDOWN_AGGREGATOR_MEMORY',
  'RINGDOWN_BALANCER_MEMORY',
  'RINGDOWN_EDGE_MEMORY',
  'RINGDOWN_ETCD_MEMORY',
  'RINGDOWN_GRAFANA_MEMORY',
  'RINGDOWN_NATS_MEMORY',
  'RINGDOWN_POSTGRES_MEMORY',
  'RINGDOWN_PROMETHEUS_MEMORY',
  'RINGDOWN_SERVICE_MEMORY',
  'RINGDOWN_NATS_IMAGE',
  'RINGDOWN_NODE_IMAGE',
  'RINGDOWN_POSTGRES_IMAGE',
  'RINGDOWN_PROMETHEUS_IMAGE',
  'SENDER_FE1_HEP',
  'SENDER_FE1_NAME',
  'SENDER_FE2_HEP',
  'SENDER_FE2_NAME',
];

function variableNames(fields: SettingFields): string[] {
  return Object.values(fields).map(({ env }) => env);
}

const effective = new Set(Object.values(settingGroups).flatMap(variableNames));
const sendersAlone = variableNames(runSettings).filter((name) => !effective.has(name));
const servicesAlone = variableNames(edgeSettings).filter((name) => !effective.has(name));

/** Every name that is allowed in an `.env` file; any other that is similar to one of them is reported as a mistake. */
export const knownNames = [...effective, ...sendersAlone, ...servicesAlone, ...composeNames];

/** One line for each group of settings that are set but have no effect in the one process. */
export function settingsWithoutEffect(env: Environment): string[] {
  const groups = [
    [composeNames, 'for docker-compose.yml'],
    [sendersAlone, 'for a sender: npx ringdown-sender run'],
    [servicesAlone, 'for services in processes of their own'],
  ] as const;
  return groups.flatMap(([names, whose]) => {
    const set = names.filter((name) => (env[name]?.trim() ?? '') !== '');
    return set.length === 0 ? [] : [`no effect here: ${set.join(', ')} (${whose})`];
  });
}

/**
 * A line when links lead to another port of this machine: an `.env` with PUBLIC_ORIGIN also counts for a second system
 * that was given only ports of its own.
 */
export function linksToAnotherPort(port: number, origins: string | undefined): string[] {
  const first = origins?.split(',')[0]?.trim() ?? '';
  if (!URL.canParse(first)) return [];
  const { hostname, port: linked, origin } = new URL(first);
  if (!['localhost', '127.0.0.1', '[::1]'].includes(hostname) || Number(linked || 443) === port) return [];
  return [`links lead to ${origin} (PUBLIC_ORIGIN), but this system listens on port ${port} (PORT)`];
}
