/** Transcribes a file with a state file: BASE_URL API_KEY FILE STATE. Prints the id of the job. */
import process from 'node:process';
import { uploadStateFile, Zephyr } from 'zephyr-client';

const [baseUrl, apiKey, file, state] = process.argv.slice(2);
const { job } = await new Zephyr({ baseUrl, apiKey }).transcribe(file, { state: uploadStateFile(state) });
console.log(job.job_id);
