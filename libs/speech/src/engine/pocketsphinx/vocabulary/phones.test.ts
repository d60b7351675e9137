import { expect, it } from 'vitest';
import { parseEspeakPhones, parseFlitePhones } from './phones.js';

it.each([
  ["k_j_'u:_b_3_n_,i:_t_s", 'K Y UW B ER N IY T S'],
  ["m_@_k d_'0_n_@L_d", 'M AH K D AA N AH L D'],
  ["p_r_oU_m_'i:_T_I2_;_@_s", 'P R OW M IY TH IH AH S'],
  ["S_I2_v_'O:_n", 'SH IH V AO N'],
])('parseEspeakPhones maps %s', (line, sounds) => {
  expect(parseEspeakPhones(line)).toBe(sounds);
});

it('parseFlitePhones maps phones and drops pauses', () => {
  expect(parseFlitePhones('pau k ax b er n iy t s pau ')).toBe('K AH B ER N IY T S');
});

it('an unknown phone yields null', () => {
  expect(parseEspeakPhones("x_'Y_n")).toBeNull();
  expect(parseFlitePhones('pau k qq pau')).toBeNull();
  expect(parseEspeakPhones('')).toBeNull();
  expect(parseFlitePhones('pau pau')).toBeNull();
});
