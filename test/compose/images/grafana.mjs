// Reads the provisioned data source and dashboards where Grafana does, and answers a few of its routes at port 3000:
// /api/datasources, /api/search, and /api/datasources/proxy/name/NAME/… from the data source itself.
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const PROVISIONING = '/etc/grafana/provisioning';
const credentials = Buffer.from(`admin:${process.env.GF_SECURITY_ADMIN_PASSWORD}`).toString('base64');

const readFolder = (folder, suffix) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(suffix))
    .map((name) => readFileSync(`${folder}/${name}`, 'utf8'));
const readField = (yaml, name) => new RegExp(`^[ -]+${name}: *(\\S+)$`, 'm').exec(yaml)?.[1];

const dataSources = readFolder(`${PROVISIONING}/datasources`, '.yml').map((yaml) => ({
  name: readField(yaml, 'name'),
  type: readField(yaml, 'type'),
  url: readField(yaml, 'url'),
}));
const dashboards = readFolder(`${PROVISIONING}/dashboards`, '.yml')
  .flatMap((yaml) => readFolder(readField(yaml, 'path'), '.json'))
  .map((json) => JSON.parse(json));

async function answer(url) {
  if (url === '/api/datasources') return dataSources;
  if (url === '/api/search') return dashboards.map(({ title }) => ({ title }));
  const [, name, path] = /^\/api\/datasources\/proxy\/name\/(\w+)(\/.*)$/.exec(url) ?? [];
  const source = dataSources.find((each) => each.name === name);
  return source && (await fetch(`${source.url}${path}`)).json();
}

createServer((request, response) => {
  if (request.headers.authorization !== `Basic ${credentials}`) {
    response.writeHead(401).end();
    return;
  }
  answer(request.url).then(
    (body) => response.writeHead(body === undefined ? 404 : 200).end(JSON.stringify(body)),
    (error) => response.writeHead(502).end(String(error)),
  );
}).listen(3000);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit());
