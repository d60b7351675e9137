/** Milliseconds on a clock that all processes of the machine share. */
export function moment() {
  return Number(process.hrtime.bigint()) / 1e6;
}
