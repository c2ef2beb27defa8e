/* A driver for a motor, as they are written: to call its functions in the wrong order is the caller's fault. */
static int powered, running, position;

void motor_power(int on) { powered = on; running = 0; }

/* Needs power. Gives 0 if the motor is blocked: it is at its end. */
int motor_start(void) { return powered ? (running = position < 3) : -1; }

/* Needs a running motor. */
int motor_step(void) { return running ? ++position : -1; }

void motor_stop(void) { running = 0; }

void motor_home(void) { position = 0; }
