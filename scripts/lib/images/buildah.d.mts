export function storageFlags(folder: string): string[];
