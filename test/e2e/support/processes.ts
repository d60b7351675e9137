import { readdir, readFile } from 'node:fs/promises';

export interface RunningProcess {
  pid: number;
  parent: number;
  command: string;
}

/** Every live process of this machine, without zombies. Linux only. */
export async function listProcesses(): Promise<RunningProcess[]> {
  const names = await readdir('/proc');
  const processes = await Promise.all(names.filter((name) => /^\d+$/.test(name)).map(describeProcess));
  return processes.filter((each) => each !== undefined);
}

/** The processes with `text` in their command or environment, and all their descendants. */
export async function findProcesses(text: string): Promise<RunningProcess[]> {
  const all = await listProcesses();
  const environments = await Promise.all(all.map(({ pid }) => readProcFile(pid, 'environ')));
  const matches = new Set(
    all.filter(
      ({ pid, command }, index) =>
        pid !== process.pid && `${command}\0${environments[index] ?? ''}`.includes(text),
    ),
  );
  // A set iterates over members that are added during the iteration: grandchildren are included.
  for (const { pid } of matches) for (const each of all) if (each.parent === pid) matches.add(each);
  return [...matches];
}

/** The number of open files and connections of the process: a client that does not read cannot detect a disconnect. */
export async function countOpenFiles(pid: number): Promise<number> {
  return (await readdir(`/proc/${pid}/fd`)).length;
}

export function isRunning(pid: number): Promise<boolean> {
  return describeProcess(String(pid)).then((process) => process !== undefined);
}

/** CPU time of all threads of the process so far, in ms. Linux counts it in hundredths of a second. */
export async function readCpuTimeMs(pid: number): Promise<number> {
  const [user, system] = (await readStat(pid)).slice(11, 13);
  return (Number(user) + Number(system)) * 10;
}

async function describeProcess(name: string): Promise<RunningProcess | undefined> {
  const pid = Number(name);
  const [state, parent] = await readStat(pid);
  if (parent === undefined || state === 'Z' || state === 'X') return undefined;
  return {
    pid,
    parent: Number(parent),
    command: (await readProcFile(pid, 'cmdline')).replaceAll('\0', ' ').trim(),
  };
}

/** The fields of `/proc/PID/stat`, from the state on. */
async function readStat(pid: number): Promise<string[]> {
  const stat = await readProcFile(pid, 'stat');
  // The program's name, in brackets, may itself contain brackets and blanks.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Empty when the process has exited, or belongs to another user. */
function readProcFile(pid: number, file: string): Promise<string> {
  return readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
}
