import Glibc

/// Sets a variable of this process; for processes of one test only.
func setVariable(_ name: String, _ value: String) {
  _ = unsafe setenv(name, value, 1)
}
