export function buildPackages(folder: string, version: string): Promise<string[]>;
