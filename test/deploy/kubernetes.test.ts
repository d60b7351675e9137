import { readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listSamples } from '../../scripts/guide/list-samples.mjs';
import { runGuidePageSamples } from '../e2e/support/run-guide-page-samples.js';
import { listInvalidValues, listUnknownFields } from '../support/check-manifests.js';
import { hasKubectl, type Manifest, renderOverlay } from '../support/render-manifests.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const OVERLAYS = ['fixed', 'keda', 'keda-gpu'] as const;
const MS = 120_000;

interface Container {
  name: string;
  image: string;
  args?: string[];
  env?: { name: string; value: string }[];
  resources?: { limits?: Record<string, string> };
  securityContext?: object;
  readinessProbe?: object;
  livenessProbe?: object;
}

interface Pod {
  terminationGracePeriodSeconds: number;
  securityContext: { runAsNonRoot: boolean; runAsUser: number };
  containers: Container[];
  initContainers?: Container[];
}

const podOf = ({ spec }: Manifest) => (spec as { template: { spec: Pod } }).template.spec;
const find = (manifests: readonly Manifest[], kind: string, name: string) => {
  const found = manifests.find((each) => each.kind === kind && each.metadata.name === name);
  if (found === undefined) throw new Error(`no ${kind} ${name}`);
  return found;
};
const settingOf = (container: Container | undefined, name: string) =>
  container?.env?.find((each) => each.name === name)?.value;

/** Without a cluster: prints what the command would create or apply. */
const KUBECTL_WITHOUT_CLUSTER = `#!/bin/bash
export PATH=\${PATH#*:}
if [ "$1" = apply ]; then exec kubectl kustomize "$3"; fi
exec kubectl "$@" --dry-run=client --output=yaml
`;
const INGRESS = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  metadata: { name: 'zephyr', namespace: 'zephyr' },
  spec: { defaultBackend: { service: { name: 'zephyr-api', port: { number: 3000 } } } },
};

describe.skipIf(!hasKubectl)('the commands of docs/operating/kubernetes.md', () => {
  it('make the secret and an overlay of an operator', { timeout: MS }, async () => {
    const [page, ...others] = await listSamples('test/deploy/kubernetes.test.ts');
    expect(others).toEqual([]);
    const folder = await mkdtemp(join(tmpdir(), 'zephyr-kubernetes-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await symlink(ROOT, join(folder, 'zephyr'));
    await writeFile(join(folder, 'ingress.yaml'), JSON.stringify(INGRESS));
    const bin = join(folder, 'bin');
    await mkdir(bin);
    await writeFile(join(bin, 'kubectl'), KUBECTL_WITHOUT_CLUSTER);
    await chmod(join(bin, 'kubectl'), 0o755);
    const env = { PATH: `${bin}:${process.env['PATH']}` };
    expect(await runGuidePageSamples(page, { folder, env, replacements: {} })).toEqual([]);
  });
});

const POD = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } };
const minimal = [{ name: 'c', image: 'i' }];

describe('the fields of manifests', () => {
  // One run of the compiler, which takes most of the time, for all.
  it(
    'exist in the published schemas; the check finds those that do not, at any depth',
    () => {
      const misspelt = { ...POD, spec: { containers: [{ ...minimal[0], readynessProbe: {} }] } };
      const manifests = hasKubectl ? OVERLAYS.flatMap(renderOverlay) : [];
      const unknown = listUnknownFields([{ ...POD, spec: { containers: minimal } }, ...manifests, misspelt]);
      expect(unknown).toEqual([expect.stringMatching(/readynessProbe.* does not exist/)]);
    },
    MS,
  );

  it('finds missing fields and values of a wrong type', async () => {
    expect(await listInvalidValues([{ ...POD, spec: { containers: minimal } }])).toEqual([]);
    expect((await listInvalidValues([{ ...POD, spec: {} }])).join()).toContain('containers');
    const wrong = { ...POD, spec: { containers: minimal, terminationGracePeriodSeconds: 'soon' } };
    expect((await listInvalidValues([wrong])).join()).toContain('terminationGracePeriodSeconds');
  });
});

describe.skipIf(!hasKubectl).each(OVERLAYS)('the overlay %s', (overlay) => {
  const manifests = hasKubectl ? renderOverlay(overlay) : [];
  const pods = manifests.filter(({ kind }) => kind === 'Deployment' || kind === 'Job').map(podOf);

  it('has only values that the published schemas allow', async () => {
    expect(manifests.length).toBeGreaterThan(8);
    expect(await listInvalidValues(manifests)).toEqual([]);
  });

  it('runs every program of the service as the user of the image, without privileges', () => {
    const containerfile = readFileSync(`${ROOT}deploy/Containerfile`, 'utf8');
    const user = Number(/^USER (\d+):/m.exec(containerfile)?.[1]);
    expect(pods).toHaveLength(3);
    for (const { securityContext, containers } of pods) {
      expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: user });
      for (const container of containers.filter(({ image }) => image.startsWith('zephyr:')))
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
    }
  });

  it('gives programs longer to end than their settings allow them', () => {
    const settings = find(manifests, 'ConfigMap', 'zephyr').data ?? {};
    const allowed = Number(settings['DRAIN_SECONDS']) + Number(settings['SHUTDOWN_SECONDS']);
    for (const name of ['zephyr-api', 'zephyr-processor'])
      expect(podOf(find(manifests, 'Deployment', name)).terminationGracePeriodSeconds).toBeGreaterThanOrEqual(
        allowed + 10,
      );
  });

  it('gives APIs the memory that uploads to a bucket and rendered transcripts may take', () => {
    const [api] = podOf(find(manifests, 'Deployment', 'zephyr-api')).containers;
    const uploadMiB = 24 * Number(settingOf(api, 'MAX_CONCURRENT_UPLOADS'));
    const renderingMiB = 2 * 1_024 + 256;
    const idleMiB = 256;
    const limit = api?.resources?.limits?.['memory'] ?? '';
    expect(limit).toMatch(/^\d+Gi$/);
    expect(1_024 * Number.parseInt(limit)).toBeGreaterThanOrEqual(uploadMiB + renderingMiB + idleMiB);
  });

  it('probes APIs and processors, and keeps one API when a node is drained', () => {
    for (const name of ['zephyr-api', 'zephyr-processor'])
      expect(podOf(find(manifests, 'Deployment', name)).containers[0]).toMatchObject({
        readinessProbe: { httpGet: { path: '/health/ready', port: 'health' } },
        livenessProbe: { httpGet: { path: '/health/live', port: 'health' } },
      });
    expect(find(manifests, 'PodDisruptionBudget', 'zephyr-api').spec).toMatchObject({ minAvailable: 1 });
    expect(find(manifests, 'PodDisruptionBudget', 'zephyr-processor').spec).toMatchObject({
      maxUnavailable: 1,
    });
  });

  it.skipIf(overlay === 'keda-gpu')(
    'needs as many connections as its page says, if each pod is replaced before the old one has ended',
    () => {
      const replicasOf = (kind: string, name: string, field: string) =>
        Number((find(manifests, kind, name).spec as Record<string, unknown>)[field]);
      const processors =
        overlay === 'fixed'
          ? replicasOf('Deployment', 'zephyr-processor', 'replicas')
          : replicasOf('ScaledObject', 'zephyr-processor', 'maxReplicaCount');
      const started = 2 * (replicasOf('Deployment', 'zephyr-api', 'replicas') + processors);
      const page = readFileSync(`${ROOT}docs/operating/kubernetes.md`, 'utf8');
      const [, ...cells] =
        new RegExp(`^\\| \`${overlay}\`:.*\\| +([\\d,]+) +\\| +([\\d,]+) +\\|$`, 'm').exec(page) ?? [];
      const [poolSize, queuePoolSize, others] = [12, 10, 7];
      expect(cells.map((cell) => Number(cell.replaceAll(',', '')))).toEqual([
        started * (poolSize + queuePoolSize) + others,
        started * poolSize + others,
      ]);
    },
  );

  it.skipIf(overlay === 'fixed')('scales processors by the chunks that one of them works on', () => {
    const { minReplicaCount, triggers } = find(manifests, 'ScaledObject', 'zephyr-processor').spec as {
      minReplicaCount: number;
      triggers: { type: string; metadata: Record<string, string> }[];
    };
    const processor = find(manifests, 'Deployment', 'zephyr-processor');
    const [container] = podOf(processor).containers;
    expect(processor.spec).not.toHaveProperty('replicas');
    expect(minReplicaCount).toBe(0);
    expect(triggers[0]?.type).toBe('postgresql');
    expect(triggers[0]?.metadata['targetQueryValue']).toBe(settingOf(container, 'CHUNK_CONCURRENCY'));
  });

  it.skipIf(overlay === 'fixed')('gives KEDA a URL of its own, and a processor while its query fails', () => {
    expect(find(manifests, 'TriggerAuthentication', 'zephyr-database').spec).toMatchObject({
      secretTargetRef: [{ parameter: 'connection', name: 'zephyr', key: 'KEDA_DATABASE_URL' }],
    });
    expect(find(manifests, 'ScaledObject', 'zephyr-processor').spec).toMatchObject({
      fallback: { failureThreshold: 3, replicas: 1 },
    });
  });

  it.runIf(overlay === 'keda-gpu')(
    'gives each processor a recogniser with a GPU, on nodes that have one',
    () => {
      const pod = podOf(find(manifests, 'Deployment', 'zephyr-processor'));
      const processor = pod.containers.find(({ name }) => name === 'processor');
      const recogniser = pod.initContainers?.find(({ name }) => name === 'recogniser');
      const { port } = new URL(settingOf(processor, 'OPENAI_BASE_URL') ?? '');
      // A sidecar starts before, and ends after, the processor that sends to it.
      expect(recogniser).toMatchObject({
        restartPolicy: 'Always',
        startupProbe: { tcpSocket: { port: 'recogniser' } },
        ports: [{ containerPort: Number(port) }],
        resources: { limits: { 'nvidia.com/gpu': '1' } },
      });
      expect(pod).toMatchObject({ tolerations: [{ key: 'nvidia.com/gpu', operator: 'Exists' }] });
    },
  );

  it('lets programs connect to the servers of the example settings', () => {
    const { egress } = find(manifests, 'NetworkPolicy', 'zephyr-egress').spec as {
      egress: { ports: { port: number }[] }[];
    };
    const ports = new Set(egress.flatMap((rule) => rule.ports.map(({ port }) => port)));
    const example = readFileSync(`${ROOT}deploy/compose/.env.example`, 'utf8');
    const urls = [...example.matchAll(/=(?:https?|smtps?|postgres(?:ql)?|rediss?):\/\/\S+/g)].map(
      ([text]) => new URL(text.slice(1)),
    );
    const remote = urls.filter(({ port, hostname }) => port !== '' && !/^(localhost|127\.)/.test(hostname));
    expect(remote.length).toBeGreaterThan(2);
    expect(remote.filter(({ port }) => !ports.has(Number(port))).map(({ href }) => href)).toEqual([]);
  });
});

if (!hasKubectl)
  console.warn('Skipped, the overlays of Kubernetes: kubectl, which renders them, is not installed.');
